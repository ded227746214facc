// the highlighting of searched words asks every parent within a picture for its size, which symbols
// and titles do not have
if (!SVGElement.prototype.getBBox) {
  SVGElement.prototype.getBBox = () => ({ x: 0, y: 0, width: 0, height: 0 });
}

// What the theme leaves out for keyboards and screen readers.
const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
each(".caption[role=heading]", (caption) => caption.setAttribute("aria-level", "2"));
each(".sidebar-drawer", (drawer) => drawer.setAttribute("aria-label", "Pages of this site"));
each(".toc-drawer", (drawer) => drawer.setAttribute("aria-label", "Contents of this page"));
each(".content-icon-container", (icons) => {
  icons.setAttribute("role", "navigation");
  icons.setAttribute("aria-label", "This page");
});
each("th", (cell) => cell.textContent.trim() || cell.replaceWith(document.createElement("td")));
each(".announcement-content", (box) => box.setAttribute("role", "none"));
each(".skip-to-content", (link) => {
  const landmark = document.createElement("nav");
  landmark.setAttribute("aria-label", "Skip");
  link.replaceWith(landmark);
  landmark.append(link);
});
// what can be scrolled sideways is reached by the keyboard
const reach = () =>
  each("pre, .table-wrapper, table.docutils, figure, p:has(> img), .cell_output", (box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  });
reach();
addEventListener("resize", reach);
