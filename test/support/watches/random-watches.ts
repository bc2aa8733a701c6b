import type { SnapshotState } from "../../../src/contract/snapshot.js";
import type { Random } from "../../../src/kit/random.js";
import { type WatchDefinition, watchTriggers } from "../../../src/services/watches/records.js";
import { callOf, type Row, type ScriptedWorld } from "../../../src/services/watches/store/testing/scripted-world.js";
import { definitionOf } from "../../../src/services/watches/store/testing/watch-node.js";
import { pick, randomThresholds, whole } from "../../../src/services/watches/testing/random-watch.js";

export const DATASETS = ["a", "b", "c"];

const randomStates: readonly SnapshotState[] = ["ok", "ok", "ok", "partial", "stale", "absent", "unreadable"];

/** Conditions and row identities. A few of them fail on every list, and a few only on some lists. */
const rowConditions = [
  undefined,
  undefined,
  "rows[?n > `1`]",
  "rows[].id",
  "rows[].{id: id, n: n}",
  "sort_by(rows, &n)",
  "length(rows)",
  "abs(rows[0].id)",
];
const identities = [undefined, undefined, "id", "g", "[id, n]", "n", "length(g)", "abs(g)"];
const truths = ["length(rows) > `3`", "rows[?n == `2`]", "!rows", "contains(rows[].id, 'r1')", "abs(rows[0].g)"];
const numbers = ["sum(rows[].n)", "length(rows)", "max(rows[].n)", "rows[0].n", "rows[0].g"];

const optional = <K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: T });

/** A definition of any kind over one to three datasets. */
export function randomDefinition(random: Random, name: string): WatchDefinition {
  const on = pick(random, watchTriggers);
  const thresholds = randomThresholds(random, 8);
  const datasets = pick(random, ["a", "b", "c", "a,b", "a,b,c"]);
  const comparesRows = on === "WATCH_ON_NEW_ROWS" || on === "WATCH_ON_CHANGED";
  return definitionOf({
    name,
    call: callOf(datasets),
    on,
    ...(comparesRows && {
      ...optional("condition", pick(random, rowConditions)),
      ...optional("identity", pick(random, identities)),
    }),
    ...(on === "WATCH_ON_BECOMES_TRUE" && { condition: pick(random, truths) }),
    ...(on === "WATCH_ON_THRESHOLD_CROSSED" && {
      condition: pick(random, numbers),
      threshold: pick(random, thresholds),
    }),
    quietSeconds: 10 * Math.max(0, whole(random, 12) - 6),
    grouping: comparesRows && random() < 0.5 ? "WATCH_GROUPING_ROW" : "WATCH_GROUPING_EVALUATION",
  });
}

/** Up to five rows, whose ids may repeat in the list and in other datasets. */
function randomRows(random: Random): readonly Row[] {
  return Array.from({ length: whole(random, 6) }, () => ({
    id: `r${whole(random, 5)}`,
    n: whole(random, 4),
    ...(random() < 0.8 && { g: pick(random, ["x", "y"]) }),
  }));
}

/** Publishes a generation of a dataset, or reports a state. Sometimes forgets the generation before it can be read. */
export function logRandom(
  { random, world }: { readonly random: Random; readonly world: ScriptedWorld },
  dataset: string,
): void {
  const state = pick(random, randomStates);
  if (random() < 0.3) {
    world.report(dataset, state);
    return;
  }
  const { generation } = world.publish(dataset, randomRows(random), state);
  if (random() < 0.08) world.forget(dataset, generation);
}
