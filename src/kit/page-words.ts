/** Maximum length of a tag. A longer one is treated as text that contains a `<`. */
const TAG_CHARACTERS_MAX = 2_000;

/** Elements whose content is not page text, with their start and end patterns. */
const SILENT = [
  { start: /<script\b/iy, end: /<\/script\s*>/gi },
  { start: /<style\b/iy, end: /<\/style\s*>/gi },
] as const;

/**
 * Extracts the words of an HTML page: scripts, styles and tags become blanks, white space is collapsed. Takes linear
 * time, because a missing end is searched for only once.
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

/**
 * Wraps a search that is called with increasing positions, so that it searches each part of the text only once. The
 * search returns 0 for "not found".
 */
function forwardSearch(search: (from: number) => number): (from: number) => number {
  let nextAt: number | undefined;
  return (from) => {
    if (nextAt === undefined || (nextAt !== 0 && nextAt <= from)) nextAt = search(from);
    return nextAt;
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
