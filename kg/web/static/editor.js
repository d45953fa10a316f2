// The SPARQL editor: runs the query of the form without leaving the page, and shows what comes back as a table.
const BASE = "https://w3id.org/guigu/";
const SHOWN = 1000; // rows of a table; the files hold all
const LINKED = 8000; // characters of an address that every browser and server takes
const form = document.querySelector("form.sparql");
const area = form.elements.query;
const words = JSON.parse(form.dataset.words);
const prefixes = JSON.parse(form.dataset.prefixes);
const result = document.querySelector(".result");
const place = result.querySelector(".scroll");
let editor = { get: () => area.value, set: (text) => { area.value = text; } };
let running = null;

function made(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function short(iri) {
  let best = "";
  for (const [prefix, start] of Object.entries(prefixes)) {
    if (iri.startsWith(start) && start.length > (prefixes[best] || "").length) best = prefix;
  }
  const rest = best && iri.slice(prefixes[best].length);
  return best && /^[^/#?]*$/.test(rest) ? `${best}:${rest}` : iri;
}

function cell(term) {
  if (!term) return made("td");
  if (term.type === "uri") {
    if (term.value.startsWith(BASE)) return made("td", {}, made("a", { href: `/${term.value.slice(BASE.length)}` }, short(term.value)));
    const web = /^https?:/.test(term.value);
    return made("td", {}, web ? made("a", { href: term.value, rel: "external noreferrer" }, short(term.value)) : term.value);
  }
  const language = term["xml:lang"];
  return made("td", language ? { lang: language === "lzh" ? "lzh" : language.replace("zh-hant", "zh-Hant") } : {}, term.value);
}

function table(data) {
  const columns = data.head.vars;
  const head = made("tr", {}, ...columns.map((c) => made("th", { scope: "col" }, c)));
  const rows = data.results.bindings.slice(0, SHOWN).map((row) => made("tr", {}, ...columns.map((c) => cell(row[c]))));
  return made("table", { class: "grid answer" }, made("thead", {}, head), made("tbody", {}, ...rows));
}

function show(text, type) {
  if (!type.includes("sparql-results+json")) return ["", made("pre", {}, text)];
  const data = JSON.parse(text);
  if ("boolean" in data) return ["", made("p", {}, made("strong", {}, String(data.boolean)))];
  const count = data.results.bindings.length;
  return [count, count ? table(data) : made("p", {}, words["ask-none"])];
}

function address(parameters) {
  const kept = new URLSearchParams(location.search).get("lang");
  return `/sparql?${new URLSearchParams(kept && parameters.edit !== undefined ? { ...parameters, lang: kept } : parameters)}`;
}

function links(query, graph) {
  const forms = graph ? { Turtle: "ttl", "N-Triples": "nt", "JSON-LD": "jsonld", "RDF/XML": "rdf" } : { CSV: "csv", TSV: "tsv", JSON: "json", XML: "xml" };
  const files = result.querySelector(".files span");
  files.replaceChildren();
  for (const [name, form_] of Object.entries(forms)) {
    if (files.childNodes.length) files.append(" · ");
    files.append(made("a", { href: address({ query, format: form_ }) }, name));
  }
  result.querySelector(".permanent").href = address({ edit: query });
  for (const line of result.querySelectorAll(".files")) line.hidden = encodeURIComponent(query).length > LINKED;
}

async function run() {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  const query = editor.get();
  const said = result.querySelector(".said");
  const count = result.querySelector(".count");
  const start = performance.now();
  result.hidden = false;
  result.setAttribute("aria-busy", "true");
  said.className = "said";
  said.textContent = words["sparql-running"];
  try {
    const headers = { Accept: "application/sparql-results+json, text/turtle;q=0.9", "Content-Type": "application/x-www-form-urlencoded" };
    const response = await fetch("/sparql", { method: "POST", headers, body: new URLSearchParams({ query }), signal: mine.signal });
    const text = await response.text();
    if (!response.ok) throw new Error(text.trim());
    const [rows, shown] = show(text, response.headers.get("Content-Type") || "");
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    place.replaceChildren(shown);
    count.textContent = "";
    said.textContent = rows === "" ? "" : words["sparql-took"].replace("{n}", rows).replace("{s}", seconds);
    if (rows > SHOWN) said.textContent += ` (${words["sparql-shown"].replace("{n}", SHOWN)})`;
    links(query, shown.localName === "pre");
  } catch (error) {
    if (mine.signal.aborted) return;
    place.replaceChildren();
    for (const line of result.querySelectorAll(".files")) line.hidden = true;
    said.className = "said fault";
    said.textContent = error instanceof TypeError ? words["sparql-failed"] : error.message;
  }
  result.removeAttribute("aria-busy");
}

// The queries at hand: each keeps what was written in it until the page is left.
const tabs = [...document.querySelectorAll(".queries a")];
function open(tab) {
  for (const other of tabs) {
    if (other.hasAttribute("aria-current")) other.dataset.query = editor.get();
    other.removeAttribute("aria-current");
  }
  tab.setAttribute("aria-current", "true");
  editor.set(tab.dataset.query);
}
for (const tab of tabs) {
  tab.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(tab);
  });
}

form.addEventListener("submit", (event) => {
  area.value = editor.get();
  if (form.elements.format.value !== "json") return; // a file in the form that was chosen
  event.preventDefault();
  run();
});
area.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

if (form.dataset.editor && window.Yasgui) {
  const { complete } = await import(form.dataset.editor);
  editor = complete(area, prefixes, words, () => form.requestSubmit());
  document.querySelector(".keys").hidden = false;
}
form.dataset.ready = "true";
