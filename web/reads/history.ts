import type { DatasetHistoryPage, GenerationEntry } from "../../src/sdk/index.js";

export type HistoryEntry = DatasetHistoryPage["entries"][number];

/** The generation served at an instant, according to the newest entry at or before it; undefined if unknown. */
export function servedAt(entries: readonly HistoryEntry[], at: number): number | undefined {
  return entries.find((entry) => entry.at <= at)?.generation ?? undefined;
}

/** The changes since the previous generation, in words; `the first` for generation 1; empty if they are unknown. */
export function changesText({ generation, changes }: Pick<GenerationEntry, "generation" | "changes">): string {
  if (generation === 1) return "the first";
  if (changes === null) return "";
  const total = { added: 0, changed: 0, removed: 0 };
  for (const { added, changed, removed } of Object.values(changes)) {
    total.added += added;
    total.changed += changed;
    total.removed += removed;
  }
  const words = Object.entries(total).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []));
  return words.join(", ") || "nothing";
}
