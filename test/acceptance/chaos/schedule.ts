import { type Random, seededRandom } from "../../../src/kit/random.js";

/** Kinds of fault. A run plans only the kinds that can affect the stores and processes of its service. */
export const faultKinds = ["kill", "build-kill", "storm", "clock", "torn", "disk", "redis", "postgres"] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface PlannedFault {
  /** Time since the start of the run. */
  readonly atMs: number;
  readonly kind: FaultKind;
  /** Maximum time until its repair begins; some kinds of fault are repaired earlier. */
  readonly lastsMs: number;
  /** Seed for the choices that the fault leaves open: the node, the file, the size of a clock jump. */
  readonly seed: number;
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly kinds: readonly FaultKind[];
  /** Mean time between two faults. */
  readonly everyMs: number;
}

const LASTS_MS_MIN = 500;

/** Plans the faults of a run. Equal options give equal faults. Every kind occurs once before any occurs again. */
export function plannedFaults({ seed, durationMs, kinds, everyMs }: ScheduleOptions): readonly PlannedFault[] {
  const random = seededRandom(seed);
  const faults: PlannedFault[] = [];
  let round: FaultKind[] = [];
  for (let atMs = everyMs / 2; atMs < durationMs; atMs += everyMs * (0.5 + random())) {
    if (round.length === 0) round = shuffled(kinds, random);
    const kind = round.pop();
    if (kind === undefined) break;
    const lastsMs = LASTS_MS_MIN + random() * everyMs;
    faults.push({ atMs: Math.round(atMs), kind, lastsMs: Math.round(lastsMs), seed: Math.floor(random() * 2 ** 32) });
  }
  return faults;
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const rest = [...values];
  return values.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}
