/** Maximum length of a line. The service accepts only smaller messages anyway. */
const LINE_BYTES_MAX = 1_000_000;
const NEWLINE = 0x0a;

/**
 * Yields the lines of a stream without their line breaks, and undefined for a line that is too long. Skips blank lines.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const line = (): Uint8Array | undefined => {
    const whole = bytes <= LINE_BYTES_MAX ? Buffer.concat(pieces) : undefined;
    pieces = [];
    bytes = 0;
    return whole;
  };
  const add = (piece: Uint8Array): void => {
    bytes += piece.byteLength;
    if (bytes <= LINE_BYTES_MAX) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      const whole = line();
      if (!isBlank(whole)) yield whole;
    }
    add(chunk.subarray(from));
  }
  const last = line();
  if (!isBlank(last)) yield last;
}

const isBlank = (line: Uint8Array | undefined): boolean =>
  line !== undefined && !/\S/.test(Buffer.from(line).toString("latin1"));
