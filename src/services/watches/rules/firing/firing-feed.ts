import type { Feed, FeedEntry } from "../../../../contract/feed.js";
import type { WatchFiring } from "../../records.js";
import { firingText, sourceText, valueLines } from "./firing-text.js";

/** A watch with its last firings, newest first. */
export interface FiringFeedSource {
  readonly watchId: string;
  readonly name: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly firings: readonly WatchFiring[];
  readonly isSimulated: boolean;
}

/** Writes the feed of a watch. */
export function firingFeed({ watchId, name, createdAt, firings, isSimulated }: FiringFeedSource): Feed {
  const entries = firings.map(entryOf);
  return {
    id: `urn:vigil:watch:${watchId}`,
    title: name,
    description: "Firings of a watch, newest first",
    updatedAt: entries[0]?.at ?? createdAt,
    isSimulated,
    entries,
  };
}

function entryOf(firing: WatchFiring): FeedEntry {
  const { firingId, firedAt, links } = firing;
  return {
    id: `urn:vigil:firing:${firingId}`,
    title: firingText(firing),
    text: bodyOf(firing),
    link: links.answer,
    at: Date.parse(firedAt),
  };
}

/** Writes the rows or values of a firing, the state and generations of its data, and its sources, line by line. */
function bodyOf({ rows = [], before, after, message, state, generations, sources }: WatchFiring): string {
  const lines = [
    ...(message === undefined ? [] : [message]),
    ...valueLines({ before, after }, (value) => JSON.stringify(value)),
    ...rows.map((row) => `${row.change} ${row.id}: ${JSON.stringify(row.after ?? row.before)}`),
    `data: ${state}, ${Object.entries(generations)
      .map(([dataset, generation]) => `${dataset} generation ${generation}`)
      .join(", ")}`,
    ...sources.map((source) => `source: ${sourceText(source)}, ${source.url}`),
  ];
  return lines.join("\n");
}
