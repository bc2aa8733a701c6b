import { useEffect, useState } from "preact/hooks";
import type { DatasetCard } from "../../../src/sdk/index.js";
import { datasetCards } from "../../reads/dataset-cards.js";

/** The card of a dataset; undefined until it is read, and also if it cannot be read. */
export function useDatasetCard(dataset: string | undefined): DatasetCard | undefined {
  const [card, setCard] = useState<DatasetCard>();
  useEffect(() => {
    void datasetCard(dataset).then(setCard);
  }, [dataset]);
  return card;
}

/** The card of a dataset; undefined if it cannot be read. */
export async function datasetCard(dataset: string | undefined): Promise<DatasetCard | undefined> {
  if (dataset === undefined) return undefined;
  const cards = await datasetCards().catch(() => undefined);
  return cards?.get(dataset);
}
