/** Returns the 32-bit FNV-1a hash of the text's UTF-16 units. The constants are part of the algorithm. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Combines two hashes into one and mixes the bits, like the finalizer of MurmurHash3. */
export function mixed(first: number, second: number): number {
  let hash = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Maps a hash to a number from 0 up to, but not including, 1. */
export function ratioOf(hash: number): number {
  return hash / 2 ** 32;
}
