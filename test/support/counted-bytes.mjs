/**
 * Returns a function for bytes that differ on every call of every process and sort by call, so that ids sort in
 * creation order. `ordinal`: number of the process among those on its store.
 */
export function countedBytes(ordinal) {
  let calls = 0;
  return (count) => {
    calls += 1;
    const bytes = Buffer.alloc(count);
    bytes.writeUInt16BE(ordinal, 0);
    bytes.writeUInt32BE(calls, count - 4);
    return bytes;
  };
}
