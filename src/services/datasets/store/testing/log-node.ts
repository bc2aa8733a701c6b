import type { DatasetStanding } from "../../../../contract/snapshot.js";
import type { OpenDatabase } from "../../../../database/open-database.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { testStoreParts } from "../../../../database/testing/store-parts.js";
import type { Clock } from "../../../../kit/clock.js";
import { datasetStore } from "../store.js";

/** Creates the store parts of one node, with the tables of the log of datasets. */
export function logParts(database: OpenDatabase, clock: Clock): Promise<StoreParts> {
  return testStoreParts(database, { service: "datasets", store: datasetStore }, { clock });
}

/** Creates the standing of a dataset with this generation. Generation 0 means that nothing is served. */
export function standingOf(
  dataset: string,
  generation: number,
  state: DatasetStanding["state"] = "ok",
): DatasetStanding {
  if (generation === 0) {
    return { dataset, state, generation: null, newestGeneration: null, contentHash: null, newestAt: null };
  }
  return {
    dataset,
    state,
    generation,
    newestGeneration: generation,
    contentHash: `hash of ${dataset} ${generation}`,
    newestAt: Date.UTC(2026, 10, generation),
  };
}
