// Pointing at characters lights up their clauses, and pointing at a clause lights up its characters. Without it everything still links.
"use strict";
(() => {
  const byClause = new Map();
  for (const element of document.querySelectorAll("[data-c]")) {
    for (const id of element.dataset.c.split(" ")) {
      if (!byClause.has(id)) byClause.set(id, []);
      byClause.get(id).push(element);
    }
  }
  let lit = [];
  const light = (element) => {
    for (const other of lit) other.classList.remove("lit");
    lit = element ? element.dataset.c.split(" ").flatMap((id) => byClause.get(id)) : [];
    for (const other of lit) other.classList.add("lit");
  };
  const find = (event) => (event.target instanceof Element ? event.target.closest("[data-c]") : null);
  document.addEventListener("pointerover", (event) => light(find(event)));
  document.addEventListener("focusin", (event) => light(find(event)));
})();
