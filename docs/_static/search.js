// The search of the theme, for pages that are opened from a folder too: a browser does not let a page
// read another file, so that what excerpts are cut from comes as one script (search_pages.py).
let texts = {};
Search.setTexts = (pages) => (texts = pages);
Search.htmlToText = (text) => text;
window.fetch = async (address) => {
  const root = new URL(document.documentElement.dataset.content_root, location).pathname;
  const name = new URL(address, location).pathname.slice(root.length);
  return new Response(texts[decodeURI(name).replace(/\.html$/, "")] ?? "");
};
// a function is found by its name, by the title of its page and by the words on it: of a page, the hits of
// the most exact kind
const kinds = ["text", "title", "index", "object"];
const findAll = Search._performSearch;
Search._performSearch = (...query) => {
  const found = findAll(...query);
  const exact = new Map();
  for (const hit of found) exact.set(hit[0], Math.max(exact.get(hit[0]) ?? 0, kinds.indexOf(hit[6])));
  return found.filter((hit) => kinds.indexOf(hit[6]) === exact.get(hit[0]));
};
