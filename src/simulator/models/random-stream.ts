import { type Random, seededRandom } from "../../kit/random.js";
import { fnv1a } from "./hash.js";

/** Creates the random stream of `label` under `seed`; streams of different labels are independent. */
export function streamFor(seed: number, label: string): Random {
  return seededRandom(fnv1a(`${seed}:${label}`));
}

/**
 * Draws a number from roughly a standard normal distribution (sum of four uniforms): mean 0, variance 1, never beyond
 * ±3.47.
 */
export function bell(random: Random): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

/** Caches the result of `build` per seed. Beyond `entriesMax` results, the oldest is evicted. */
export function rememberPerSeed<T>(build: (seed: number) => T, entriesMax = 4): (seed: number) => T {
  const built = new Map<number, T>();
  return (seed) => {
    const cached = built.get(seed);
    if (cached !== undefined) return cached;
    const oldest = built.keys().next();
    if (built.size >= entriesMax && !oldest.done) built.delete(oldest.value);
    const value = build(seed);
    built.set(seed, value);
    return value;
  };
}
