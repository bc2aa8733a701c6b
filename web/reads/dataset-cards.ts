import type { DatasetCard } from "../../src/sdk/index.js";
import { vigil } from "../client.js";

let reading: Promise<ReadonlyMap<string, DatasetCard>> | undefined;

/**
 * Reads the cards of all datasets, by name. A card describes a dataset: its content, sources, gaps and operations.
 * Later calls return the result of the first successful call, because pages show only members that stay the same until
 * there is a new version of the service.
 */
export function datasetCards(): Promise<ReadonlyMap<string, DatasetCard>> {
  reading ??= read().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

async function read(): Promise<ReadonlyMap<string, DatasetCard>> {
  const { data } = await vigil.platform.datasets();
  return new Map(data.datasets.map((card) => [card.name, card]));
}
