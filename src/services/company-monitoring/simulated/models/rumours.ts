import { DAY_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { fnv1a, mixed } from "../../../../simulator/models/hash.js";

/** A rumour about a company, repeated by one small site and a few posts. */
export interface Rumour {
  readonly name: string;
  readonly hash: number;
  readonly title: string;
  /** Epoch ms. */
  readonly at: number;
}

const titles = [
  "{} recalls garden heaters over burn hazard",
  "Workers at {} vote to strike over pay",
  "Regulator fines {} for late safety reports",
  "{} chief executive resigns in budget dispute",
] as const;

/** Maximum time by which a rumour precedes midnight UTC. */
const AGE_MINUTES_MAX = 300;

/**
 * Returns the rumour of the day about each quoted phrase in a search. Companies of the simulated registers have no
 * rumours, so that a demo also shows companies without events.
 */
export function rumoursOf(query: string, now: number, seed: number): readonly Rumour[] {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  return [...query.matchAll(/"([^"]+)"/g)].flatMap(([, name = ""]) => {
    if (name.startsWith("Simulated ")) return [];
    const hash = mixed(fnv1a(name), mixed(midnight / DAY_MS, seed));
    const title = (titles[hash % titles.length] ?? titles[0]).replace("{}", name);
    return [{ name, hash, title, at: midnight - (hash % AGE_MINUTES_MAX) * MINUTE_MS }];
  });
}
