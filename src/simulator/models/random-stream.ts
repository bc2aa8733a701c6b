import { type Random, seededRandom } from "../../kit/random.js";

/** The stream of chance that belongs to `label` under `seed`; streams of different labels are unrelated. */
export function streamFor(seed: number, label: string): Random {
  return seededRandom(fnv1a(`${seed}:${label}`));
}

/** One draw from roughly a standard normal (sum of four uniforms): mean 0, variance 1, never beyond ±3.47. */
export function bell(random: Random): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

/** `build` remembered per seed, so that a walk is made once; forgets the oldest beyond `entriesMax`. */
export function rememberPerSeed<T>(build: (seed: number) => T, entriesMax = 4): (seed: number) => T {
  const built = new Map<number, T>();
  return (seed) => {
    const known = built.get(seed);
    if (known !== undefined) return known;
    const oldest = built.keys().next();
    if (built.size >= entriesMax && !oldest.done) built.delete(oldest.value);
    const made = build(seed);
    built.set(seed, made);
    return made;
  };
}

/** 32-bit FNV-1a of the text's UTF-16 units; the constants are the algorithm's own. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
