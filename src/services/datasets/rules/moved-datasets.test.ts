import { expect, test } from "vitest";
import type { DatasetStanding } from "../../../contract/snapshot.js";
import { type LoggedState, movedDatasets } from "./moved-datasets.js";

const standing = (generation: number | null, changes: Partial<DatasetStanding> = {}): DatasetStanding => ({
  dataset: "numbers",
  state: generation === null ? "absent" : "ok",
  generation,
  newestGeneration: generation,
  contentHash: generation === null ? null : `hash ${generation}`,
  newestAt: null,
  ...changes,
});

/** Returns the state and generation to log for one dataset; undefined if the dataset has not moved. */
function moved(logged: LoggedState | undefined, now: DatasetStanding | undefined): string | undefined {
  const loggedByName = new Map(logged === undefined ? [] : [[logged.dataset, logged]]);
  const [change] = movedDatasets(loggedByName, now === undefined ? [] : [now]);
  return change && `${change.state} ${change.generation}`;
}

test.each<[string, DatasetStanding | undefined, DatasetStanding | undefined, string | undefined]>([
  ["a dataset that was never logged has moved", undefined, standing(null), "absent null"],
  ["a dataset whose standing equals its logged state has not moved", standing(3), standing(3), undefined],
  ["an absent dataset that is still absent has not moved", standing(null), standing(null), undefined],
  ["a dataset with its first generation has moved", standing(null), standing(1), "ok 1"],
  ["a dataset with a later generation has moved", standing(3), standing(5), "ok 5"],
  ["a dataset in another state has moved", standing(3), standing(3, { state: "stale" }), "stale 3"],
  [
    "a dataset whose content cannot be read has moved",
    standing(3),
    standing(null, { state: "unreadable" }),
    "unreadable null",
  ],
  [
    "a dataset has not moved if the node has only seen generations before the logged one",
    standing(3),
    standing(2, { state: "stale" }),
    undefined,
  ],
  [
    "a dataset has moved if an earlier generation is served because the latest cannot be read",
    standing(3),
    standing(2, { state: "stale", newestGeneration: 3 }),
    "stale 2",
  ],
  ["a dataset that is no longer built is logged as absent", standing(3), undefined, "absent null"],
  ["an absent dataset that is no longer built has not moved", standing(null), undefined, undefined],
])("%s", (_sentence, logged, now, change) => {
  expect(moved(logged, now)).toBe(change);
});
