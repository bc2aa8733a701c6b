/** The beginning of a text, not ending within a character or in white space. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]/.test(text[charactersMax - 1] ?? "") ? charactersMax - 1 : charactersMax;
  return text.slice(0, end).trimEnd();
}
