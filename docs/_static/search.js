// The search of the theme, for pages that are opened from a folder too: a browser does not let a page
// read another file, so that what excerpts are cut from comes as one script (search_pages.py).
let texts = {};
Search.setTexts = (pages) => (texts = pages);
// words that lead to one page first (search_pages.py)
let firsts = {};
Search.setFirst = (pages) => (firsts = pages);
Search.htmlToText = (text) => text;
window.fetch = async (address) => {
  const root = new URL(document.documentElement.dataset.content_root, location).pathname;
  const name = new URL(address, location).pathname.slice(root.length);
  return new Response(texts[decodeURI(name).replace(/\.html$/, "")] ?? "");
};
// how often a text holds a word, as whole words and as parts of words; of 1 at most, slower on long pages
const often = (text, pattern) => {
  const number = text.match(pattern)?.length ?? 0;
  return number / (number + 1 + text.length / 4000);
};
const literally = (word) => word.replace(/[^\p{L}\p{N}_]/gu, "\\$&");
const whole = (word) => new RegExp(`(?<![\\p{L}\\p{N}_])${literally(word)}(?![\\p{L}\\p{N}_])`, "gu");
const part = (word) => new RegExp(literally(word), "gu");
const spaced = (text) => text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
// how well a page or a function matches: its title or name counts most, and more the less else is in it;
// what a class only has stands below
const matches = ([page, title, , , , , kind], query, words, stems) => {
  const name = (kind === "object" ? title.split(".").pop() : title).toLowerCase();
  const text = (texts[page] ?? "").toLowerCase();
  const titled = spaced(name);
  let points = titled === spaced(query.toLowerCase()) ? 2 : 0;
  if (kind === "object" && !page.endsWith(title)) points -= 4;
  for (const word of words) points += often(text, whole(word)) + (whole(word).test(titled) ? 2 : 0);
  for (const stem of stems) {
    points += 0.3 * often(text, part(stem));
    if (name.includes(stem)) points += 1 + stem.length / name.length;
  }
  return points;
};
// a function is found by its name, by the title of its page and by the words on it: of a page, the hits of
// the most exact kind; the best is the last, as the theme wants it
const kinds = ["text", "title", "index", "object"];
const findAll = Search._performSearch;
Search._performSearch = (...query) => {
  const found = findAll(...query);
  const exact = new Map();
  for (const hit of found) exact.set(hit[0], Math.max(exact.get(hit[0]) ?? 0, kinds.indexOf(hit[6])));
  const [asked, stems, , words] = query;
  const first = firsts[asked.trim().toLowerCase()];
  const rest = found
    .filter((hit) => hit[0] !== first?.[0] && kinds.indexOf(hit[6]) === exact.get(hit[0]))
    .map((hit) => [matches(hit, asked, words, stems), hit])
    .sort(([one], [other]) => one - other)
    .map(([, hit]) => hit);
  return first ? [...rest, [...first, null, 100, `${first[0]}.md`, "title"]] : rest;
};
