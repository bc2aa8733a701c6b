/** A saved HTTP response, as `curl -si` prints it. */
export interface SavedAnswer {
  readonly status: number;
  /** Values by lower-case name; repeated headers are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** The bytes after the header block. */
  readonly content: Buffer;
}

/** Thrown if a file does not contain a response. The message is the reason. */
export class UnusableAnswer extends Error {}

/** Maximum total size of the header blocks of a file, in bytes. */
const HEAD_BYTES_MAX = 65_536;
const LINE_FEED = 10;
const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})(?: .*)?$/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/;

/** Reads a saved response, skipping interim ones (1xx). Throws `UnusableAnswer`. */
export function savedAnswer(bytes: Buffer): SavedAnswer {
  const lines = linesOf(bytes);
  for (;;) {
    const first = lines.next();
    const [, status] = STATUS_LINE.exec(first) ?? [];
    if (status === undefined) throw new UnusableAnswer("no HTTP status line at its beginning; save it with curl -si");
    const headers = headersFrom(lines);
    if (!status.startsWith("1")) return { status: Number(status), headers, content: lines.rest() };
  }
}

interface Lines {
  /** Returns the next line without its line ending. */
  next(): string;
  /** Returns the bytes after the last line that `next` has returned. */
  rest(): Buffer;
}

function linesOf(bytes: Buffer): Lines {
  let at = 0;
  return {
    next() {
      const end = bytes.indexOf(LINE_FEED, at);
      if (end < 0 || end > HEAD_BYTES_MAX) throw new UnusableAnswer("its header block has no end");
      const line = bytes.toString("latin1", at, end);
      at = end + 1;
      return line.endsWith("\r") ? line.slice(0, -1) : line;
    },
    rest: () => bytes.subarray(at),
  };
}

function headersFrom(lines: Lines): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let line = lines.next(); line !== ""; line = lines.next()) {
    const [, name = "", text = ""] = HEADER.exec(line) ?? [];
    // This test also rejects folded lines (obs-fold).
    if (name === "")
      throw new UnusableAnswer(`a line in its header block is not a header: ${JSON.stringify(line.slice(0, 60))}`);
    const key = name.toLowerCase();
    const value = trimmed(text);
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

/** Removes the spaces and tabs around the value of a header. */
function trimmed(text: string): string {
  const isBlank = (at: number): boolean => text[at] === " " || text[at] === "\t";
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}
