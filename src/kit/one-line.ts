/** Control characters, line separators, and the controls that change the direction of text. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const RUNS = new RegExp(`${NOT_IN_A_LINE.source}+`, "gu");

/** Text from outside as one line. Each run of characters that could break or disguise the line becomes a space. */
export function oneLine(text: string): string {
  return text.replace(RUNS, " ").trim();
}

/** True for text that `oneLine` would not have to change, except at its ends. */
export function isOneLine(text: string): boolean {
  return !NOT_IN_A_LINE.test(text);
}
