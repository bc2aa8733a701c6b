/** A stream of numbers in [0, 1), injected wherever randomness is used. */
export type Random = () => number;

/** The machine's random source; not for secrets (those come from `node:crypto`). */
export const systemRandom: Random = () => Math.random();

/** A stream that depends only on the seed and is the same on every machine (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const RANDOM_BYTES = 4;

/** Numbers from secure random bytes. */
export function randomFrom(randomBytes: (count: number) => Buffer): Random {
  return () => randomBytes(RANDOM_BYTES).readUInt32BE() / 2 ** (8 * RANDOM_BYTES);
}
