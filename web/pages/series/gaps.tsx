import type { Generation } from "../../../src/sdk/index.js";
import { useDatasetCard } from "./dataset-card.js";
import { gapsOf, type Plot, placeName } from "./plot.js";

const GAPS_SHOWN_MAX = 8;

/** The gaps of the plot, and the known gaps of the dataset. */
export function Gaps({ plot, generation }: { readonly plot: Plot; readonly generation: Generation }) {
  const card = useDatasetCard(Object.keys(generation)[0]);
  const gaps = gapsOf(plot);
  if (gaps.length === 0) return null;
  return (
    <div class="gaps notice">
      <p>The lines have gaps in the range shown, because there are no values:</p>
      <ul>
        {gaps.slice(0, GAPS_SHOWN_MAX).map(({ from, to, names }) => (
          <li key={`${from} ${to} ${names[0]}`}>
            {from === to ? placeName(plot, from) : `${placeName(plot, from)} to ${placeName(plot, to)}`}:{" "}
            {names.join(", ")}
          </li>
        ))}
        {gaps.length > GAPS_SHOWN_MAX && <li>and {gaps.length - GAPS_SHOWN_MAX} more; the table has them all</li>}
      </ul>
      {card && card.gaps.length > 0 && <p class="quiet">Known gaps of this dataset: {card.gaps.join(" ")}</p>}
    </div>
  );
}
