import { useEffect, useState } from "preact/hooks";
import { type DatasetCard, datasetCards } from "../../reads/dataset-cards.js";

/** The card of a dataset; undefined until it is read. If that fails, the view works without it. */
export function useDatasetCard(dataset: string | undefined): DatasetCard | undefined {
  const [card, setCard] = useState<DatasetCard>();
  useEffect(() => {
    if (dataset === undefined) return;
    datasetCards().then(
      (cards) => setCard(cards.get(dataset)),
      () => setCard(undefined),
    );
  }, [dataset]);
  return card;
}
