// The pages of casts, made better: coins to tap, the time of now, narrower questions of the topics chosen, witnesses lit on the chart.

/** Light individuals on the chart: those whose ids are named, and no others. */
function light(ids) {
  for (const one of document.querySelectorAll("svg.chart .lit, svg.chart.lit")) one.classList.remove("lit");
  for (const id of ids) document.getElementById(id)?.classList.add("lit");
}

function lighting() {
  const chart = document.querySelector("svg.chart");
  if (!chart) return;
  const first = [...document.querySelectorAll("svg.chart .lit, svg.chart.lit")].map((one) => one.id);
  let open = first;
  const ids = (element) => (element.dataset.lit || "").split(" ").filter(Boolean);

  for (const why of document.querySelectorAll("details.why")) {
    why.addEventListener("toggle", () => {
      open = why.open ? ids(why) : first;
      light(open);
    });
  }
  for (const part of document.querySelectorAll("[data-lit]")) {
    const on = (event) => {
      event.stopPropagation();
      light(ids(part));
    };
    part.addEventListener("pointerover", on);
    part.addEventListener("focusin", on);
    part.addEventListener("pointerout", () => light(open));
    part.addEventListener("focusout", () => light(open));
  }
}

/** A toss of three coins: one side counts 3, the other 2. */
function toss() {
  const bytes = crypto.getRandomValues(new Uint8Array(3));
  return [...bytes].map((byte) => 2 + (byte & 1));
}

function coins() {
  const box = document.querySelector(".coins");
  if (!box) return;
  const button = box.querySelector("button");
  const sides = box.querySelectorAll(".coin");
  const next = box.querySelector(".next");
  const lines = [1, 2, 3, 4, 5, 6].map((n) => document.getElementById(`line-${n}`));
  const drawn = () => {
    for (const line of lines) line.closest(".row").dataset.value = line.value;
  };
  const tell = () => {
    drawn();
    const at = lines.findIndex((line) => !line.value);
    next.textContent = at < 0 ? box.dataset.done : `${box.dataset.next} ${at + 1}`;
  };
  button.addEventListener("click", () => {
    if (lines.every((line) => line.value)) {
      for (const line of lines) line.value = "";
    }
    const fallen = toss();
    fallen.forEach((value, i) => {
      sides[i].dataset.value = value;
    });
    lines.find((line) => !line.value).value = fallen.reduce((sum, value) => sum + value);
    tell();
  });
  for (const line of lines) line.addEventListener("change", tell);
  box.hidden = false;
  tell();
}

function now() {
  const button = document.querySelector("button.now");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const here = new Date();
    const local = new Date(here.getTime() - here.getTimezoneOffset() * 60000);
    const at = document.getElementById("at");
    at.type = "datetime-local";
    at.value = local.toISOString().slice(0, 16);
    document.getElementById("zone").value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  });
}

/** Of the narrower questions only those of the topics chosen are shown. */
function narrower() {
  const asks = document.querySelector("details.asks");
  if (!asks) return;
  const topics = [...document.querySelectorAll('input[name="topic"]')];
  const show = () => {
    const chosen = topics.filter((topic) => topic.checked).map((topic) => topic.value);
    let any = false;
    for (const part of asks.querySelectorAll("[data-topic]")) {
      const wanted = chosen.includes(part.dataset.topic) || chosen.includes("all");
      part.hidden = !wanted;
      any ||= wanted;
      if (!wanted) for (const box of part.querySelectorAll("input")) box.checked = false;
    }
    asks.hidden = !any;
  };
  for (const topic of topics) topic.addEventListener("change", show);
  show();
}

function printing() {
  const button = document.querySelector("button.print");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

lighting();
coins();
now();
narrower();
printing();
