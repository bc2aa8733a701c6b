/** A tag that is longer is text with a `<` in it. */
const TAG_CHARACTERS_MAX = 2_000;

/** Elements whose content is not text of the page, by how they begin and end. */
const SILENT = [
  { start: /<script\b/iy, end: /<\/script\s*>/gi },
  { start: /<style\b/iy, end: /<\/style\s*>/gi },
] as const;

/**
 * The words of an HTML page: scripts, styles and tags become blanks, white space is collapsed. Linear in the page: an end
 * that was looked for in vain is not looked for again.
 */
export function pageWords(page: string): string {
  const words: string[] = [];
  const tagEnds = forwardSearch((from) => page.indexOf(">", from) + 1);
  const silent = SILENT.map(({ start, end }) => ({ start, ends: forwardSearch((from) => endOf(end, page, from)) }));
  let [textFrom, at] = [0, page.indexOf("<")];
  while (at !== -1) {
    const silentEnd = silent.find(({ start }) => matchesAt(start, page, at))?.ends(at) ?? 0;
    const tagEnd = tagEnds(at);
    const end = silentEnd !== 0 ? silentEnd : tagEnd - at <= TAG_CHARACTERS_MAX ? tagEnd : 0;
    if (end !== 0) {
      words.push(page.slice(textFrom, at));
      textFrom = end;
    }
    at = page.indexOf("<", Math.max(end, at + 1));
  }
  words.push(page.slice(textFrom));
  return words
    .join(" ")
    .replace(/&nbsp;|&#160;/g, " ")
    .replace(/\s+/g, " ");
}

/** Repeats a search from places that only grow, each part of the text once. A search gives 0 for "not found". */
function forwardSearch(search: (from: number) => number): (from: number) => number {
  let found: number | undefined;
  return (from) => {
    if (found === undefined || (found !== 0 && found <= from)) found = search(from);
    return found;
  };
}

function endOf(end: RegExp, page: string, from: number): number {
  end.lastIndex = from;
  return end.test(page) ? end.lastIndex : 0;
}

function matchesAt(start: RegExp, page: string, at: number): boolean {
  start.lastIndex = at;
  return start.test(page);
}
