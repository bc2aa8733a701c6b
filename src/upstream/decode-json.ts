import { SourceFailure } from "../contract/source.js";

/**
 * Maximum nesting depth. No upstream's documents are this deep, and a deeper one could overflow the stack of recursive
 * code.
 */
const DEPTH_MAX = 100;

/** Parses JSON. Throws `SourceFailure` "changed" if it is malformed, truncated or nested too deeply. */
export function decodeJson(text: string): unknown {
  if (isDeeperThan(DEPTH_MAX, text)) {
    throw new SourceFailure("changed", `the JSON is nested too deeply; expected at most ${DEPTH_MAX} levels`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = cause as SyntaxError; // For a string, JSON.parse throws only SyntaxError.
    throw new SourceFailure(
      "changed",
      `the body is not complete, valid JSON; expected a JSON document (${message.slice(0, 100)})`,
    );
  }
}

/** Counts brackets outside strings before parsing, so that a hostile document costs only one scan. */
function isDeeperThan(depthMax: number, text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === 0x22) index = endOfString(text, index);
    else if (char === 0x5b || char === 0x7b) depth += 1;
    else if (char === 0x5d || char === 0x7d) depth -= 1;
    if (depth > depthMax) return true;
  }
  return false;
}

/** Index of the quote that closes the string opened at `start`, or the text's end. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}
