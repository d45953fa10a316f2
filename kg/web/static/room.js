// Selecting characters of a chapter offers the link to them. Without it, the links of the clauses still do.
const box = document.getElementById("cite");
if (box) {
  const [link, button] = [box.querySelector("a"), box.querySelector("button")];
  const texts = [...document.querySelectorAll(".text.lzh, .text.ko")];

  // Offset in code points of a place of the selection, or null where it is in no text.
  const offset = (text, node, at) => {
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(node, at);
    return [...range.toString()].length;
  };

  const selected = () => {
    const chosen = document.getSelection();
    if (!chosen || chosen.isCollapsed || chosen.rangeCount === 0) return null;
    const range = chosen.getRangeAt(0);
    const text = texts.find((t) => t.contains(range.startContainer) && t.contains(range.endContainer));
    if (!text) return null;
    const [start, end] = [offset(text, range.startContainer, range.startOffset), offset(text, range.endContainer, range.endOffset)];
    if (start >= end) return null;
    const name = text.classList.contains("ko") ? "ko" : "span";
    const url = new URL(location.pathname, location.href);
    const lang = new URLSearchParams(location.search).get("lang");
    url.searchParams.set(name, `${text.closest(".passage").id.slice(1)}:${start}-${end}`);
    if (lang) url.searchParams.set("lang", lang);
    url.hash = "marked";
    return url.href.replace("%3A", ":");
  };

  document.addEventListener("selectionchange", () => {
    const href = selected();
    box.hidden = !href;
    if (href) {
      link.href = href;
      button.textContent = button.dataset.copy;
    }
  });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link.href);
    button.textContent = button.dataset.copied;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.hidden = true;
  });
}

// A link to characters that came without its anchor still leads to them.
if (!location.hash) document.getElementById("marked")?.scrollIntoView({ block: "center" });
