import { useEffect, useState } from "preact/hooks";
import type { DatasetCard } from "../../src/sdk/index.js";
import { datasetCards } from "../reads/dataset-cards.js";
import { failureText } from "../reads/failure-text.js";
import { SafeLink } from "./safe-link.js";

/** The publishers of a dataset with their licences. */
export function DatasetSources({ dataset }: { readonly dataset: string }) {
  const [cards, setCards] = useState<ReadonlyMap<string, DatasetCard>>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    datasetCards().then(setCards, setFailure);
  }, []);
  if (failure !== undefined) return <p class="notice failed">{failureText(failure)}</p>;
  if (!cards) return <p class="quiet">Reading the sources…</p>;
  const card = cards.get(dataset);
  if (!card) return <p class="quiet">No dataset of this service has this name.</p>;
  return (
    <>
      <p>
        <strong>{card.title}</strong>
      </p>
      <ul class="sources">
        {card.sources.map(({ id, title, home, licence }) => (
          <li key={id}>
            <SafeLink href={home}>{title}</SafeLink>
            {", "}
            <SafeLink href={licence.url}>{licence.name}</SafeLink>
            {licence.attribution !== undefined && <span class="quiet"> {licence.attribution}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
