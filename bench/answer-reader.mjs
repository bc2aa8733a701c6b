/**
 * Returns a function to call with each chunk that a connection receives. That function returns undefined until the
 * answer is complete. It then returns true if the status of the answer differs from `status`, and false otherwise. Only
 * the status and the length of the answer are read, so that a load generator is faster than any server under test.
 */
export function answerReader(status) {
  let left = 0;
  let isWrong = false;
  return (chunk) => {
    left = left > 0 ? left - chunk.length : lengthOf(chunk) - chunk.length;
    if (left < 0) throw new Error("an answer is longer than its Content-Length");
    return left > 0 ? undefined : isWrong;
  };

  /** Returns the length of the answer that starts with this chunk. Servers write the head of an answer in one piece. */
  function lengthOf(chunk) {
    const headEnd = chunk.indexOf("\r\n\r\n");
    if (headEnd < 0) throw new Error("the head of an answer arrived in pieces");
    isWrong = chunk.latin1Slice(9, 12) !== status;
    const at = chunk.indexOf("\r\nContent-Length: ");
    const length = at < 0 || at > headEnd ? 0 : Number.parseInt(chunk.latin1Slice(at + 18, at + 30), 10);
    return headEnd + 4 + length;
  }
}
