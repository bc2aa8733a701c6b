/**
 * Returns a function that makes bytes. Each call in each process makes different bytes. The bytes of a later call sort
 * after those of an earlier call, so that ids sort in the order of their creation. `ordinal`: the number of this
 * process in the sequence of processes that use the same store.
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
