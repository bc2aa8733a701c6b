import type { Answer, DatasetCard } from "../../../src/sdk/index.js";
import { instantText } from "../../format.js";
import { pathOf } from "../../parts/call-forms.js";
import type { Call } from "../../reads/read.js";

/** The metadata of a saved file: unit, source, licence, generation, time and address. */
export function plotFacts(
  unit: string,
  answer: Answer<unknown>,
  call: Call,
  card: DatasetCard | undefined,
  origin: string,
): readonly string[] {
  const { generation, lastModified, state, simulated } = answer;
  const sources = card?.sources.map(({ licence }) => licence) ?? [];
  const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts.filter((text) => text !== ""))];
  return [
    ...(simulated ? ["Simulated data: all values are invented."] : []),
    `Unit: ${unit}`,
    `Source: ${unique(sources.map(({ attribution = "" }) => attribution)).join("; ") || "see the address below"}`,
    ...unique(sources.map(({ name }) => name)).map((name) => `Licence: ${name}`),
    `Data: ${Object.entries(generation)
      .map(([name, number]) => `${name} generation ${number}`)
      .join(
        ", ",
      )}, state ${state ?? "unknown"}${lastModified ? `, content as of ${instantText(lastModified)} UTC` : ""}`,
    `Address: ${origin}${pathOf(call)}`,
  ];
}
