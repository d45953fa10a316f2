// The editor of YASGUI in place of the text field, with completion of the terms of this graph by their names in any language.
// Only its editor is taken: its table and its tabs put style elements into the page, which the policy of this site forbids.
const OFFERED = 60;

async function listed(prefixes) {
  const response = await fetch("/terms.json");
  const { terms } = await response.json();
  const known = Object.entries(prefixes).sort((a, b) => b[1].length - a[1].length);
  return terms.map(([iri, kind, names]) => {
    const found = known.find(([, start]) => iri.startsWith(start));
    const text = found ? `${found[0]}:${iri.slice(found[1].length)}` : `<${iri}>`;
    return { text, kind, names, folded: `${text} ${names}`.toLowerCase() };
  });
}

// What a word means: `aspect:mid` is sought among aspects, by the end of their IRIs or their names; a word alone everywhere.
function matching(terms, word) {
  const [, prefix = "", rest] = /^(?:([^:]*:))?(.*)$/su.exec(word.toLowerCase());
  const fits = terms.filter((t) => t.text.toLowerCase().startsWith(prefix) && t.folded.includes(rest));
  const rank = (t) => (t.text.toLowerCase().startsWith(prefix + rest) ? 0 : t.names.toLowerCase().split(" · ").some((n) => n.startsWith(rest)) ? 1 : 2);
  return fits.map((t) => [rank(t), t]).sort((a, b) => a[0] - b[0] || a[1].text.length - b[1].text.length).slice(0, OFFERED).map(([, t]) => t);
}

function completer(prefixes) {
  let terms = null;
  const names = new Map();
  return {
    name: "guigu",
    bulk: false,
    autoShow: true,
    persistenceId: null,
    isValidCompletionPosition(yasqe) {
      const token = yasqe.getCompleteToken();
      const word = token.string.trim();
      if (["string", "comment", "keyword", "atom"].includes(token.type) || token.state.inPrefixDecl) return false;
      return word.includes(":") ? !word.startsWith("<") : word.length > 2 && /^[\p{L}\p{N}-]+$/u.test(word);
    },
    preProcessToken: (_yasqe, token) => Object.assign(token, { autocompletionString: token.string.trim() }),
    async get(_yasqe, token) {
      terms ??= listed(prefixes).catch(() => []);
      const found = matching(await terms, token.autocompletionString);
      for (const t of found) names.set(t.text, t.names);
      return found.map((t) => t.text);
    },
    postprocessHints: (_yasqe, hints) => hints.map((hint) => Object.assign(hint, { displayText: `${hint.text}  ${names.get(hint.text) || ""}` })),
  };
}

// Our prefixes need no declaration, so a query may use them as if it had one.
function declared(yasqe, prefixes) {
  const mode = yasqe.getMode();
  const start = mode.startState;
  mode.startState = (...given) => Object.assign(start(...given), { prefixes: { ...prefixes } });
  yasqe.setValue(yasqe.getValue());
}

// What the editor says of a fault has inline styles, which the policy forbids; so it is said in our words.
function told(place, word) {
  const over = (event) => {
    const icon = event.target.closest(".parseErrorIcon");
    if (!icon) return;
    icon.title = word;
    event.stopPropagation();
  };
  for (const kind of ["mouseover", "mouseout"]) place.addEventListener(kind, over, true);
}

export function complete(area, prefixes, words, run) {
  const { Yasqe } = window.Yasgui;
  Yasqe.registerAutocompleter(completer(prefixes), false);
  // Nothing is kept in the browser, and no other host is asked for prefixes or terms.
  Yasqe.defaults.autocompleters = ["variables", "guigu"];
  Yasqe.defaults.persistenceId = null;
  const place = document.createElement("div");
  area.after(place);
  area.hidden = true;
  area.required = false;
  const yasqe = new Yasqe(place, {
    value: area.value,
    persistenceId: null,
    createShareableLink: null,
    consumeShareLink: null,
    showQueryButton: false,
    resizeable: false,
    editorHeight: "24rem",
    viewportMargin: Infinity,
    extraKeys: { "Ctrl-Enter": run, "Cmd-Enter": run, Tab: false, "Shift-Tab": false },
  });
  declared(yasqe, prefixes);
  told(place, words["sparql-malformed"]);
  const field = yasqe.getInputField();
  field.setAttribute("aria-label", words["sparql-query"]);
  field.id = "query-editor";
  document.querySelector(`label[for="${area.id}"]`).htmlFor = field.id;
  return { get: () => yasqe.getValue(), set: (text) => yasqe.setValue(text) };
}
