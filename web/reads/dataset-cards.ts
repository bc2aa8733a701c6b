import { vigil } from "../client.js";

/** The part of a dataset's card that the console shows; `/api/datasets` has more. */
export interface DatasetCard {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly string[];
  /** Known gaps of the data, in sentences. */
  readonly gaps: readonly string[];
  readonly sources: readonly {
    readonly id: string;
    readonly title: string;
    readonly home: string;
    readonly licence: { readonly name: string; readonly url: string; readonly attribution: string };
  }[];
}

let reading: Promise<ReadonlyMap<string, DatasetCard>> | undefined;

/** The cards of all datasets by name, read once: their sources change only with a new version of the service. */
export function datasetCards(): Promise<ReadonlyMap<string, DatasetCard>> {
  reading ??= read().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

async function read(): Promise<ReadonlyMap<string, DatasetCard>> {
  const { data } = await vigil.get("/api/datasets");
  const { datasets } = data as { readonly datasets: readonly DatasetCard[] };
  return new Map(datasets.map((card) => [card.name, card]));
}
