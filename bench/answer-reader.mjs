/**
 * Returns a function that takes the chunks of a connection. For each chunk, that function returns undefined while the
 * answer is incomplete, then true if the answer's status differs from `status`. It reads only status and length, so
 * that a load generator is faster than any server under test.
 */
export function answerReader(status) {
  let left = 0;
  let isWrong = false;
  return (chunk) => {
    left = left > 0 ? left - chunk.length : lengthOf(chunk) - chunk.length;
    if (left < 0) throw new Error("an answer is longer than its Content-Length");
    return left > 0 ? undefined : isWrong;
  };

  /** Length of the answer that starts with this chunk; servers write their head in one piece. */
  function lengthOf(chunk) {
    const headEnd = chunk.indexOf("\r\n\r\n");
    if (headEnd < 0) throw new Error("the head of an answer arrived in pieces");
    isWrong = chunk.latin1Slice(9, 12) !== status;
    const at = chunk.indexOf("\r\nContent-Length: ");
    const length = at < 0 || at > headEnd ? 0 : Number.parseInt(chunk.latin1Slice(at + 18, at + 30), 10);
    return headEnd + 4 + length;
  }
}
