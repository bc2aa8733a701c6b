/** Cuts text to a length, without splitting a character and without trailing white space. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]/.test(text[charactersMax - 1] ?? "") ? charactersMax - 1 : charactersMax;
  return text.slice(0, end).trimEnd();
}

/** Cuts text to a length like `cutText`, and ends cut text with "…", so that nobody takes it for the whole. */
export function markedCut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${cutText(text, charactersMax - 1)}…`;
}
