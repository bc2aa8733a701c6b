/** The part of `/api/datasets/history` that the console shows. Times are epoch ms. */
export interface History {
  readonly name: string;
  readonly availability?: { readonly days: readonly AvailabilityDay[] };
  readonly entries: readonly HistoryEntry[];
  readonly pagination: { readonly nextCursor: string };
}

export interface AvailabilityDay {
  readonly date: string;
  /** Share of the day with complete and fresh answers, and share without records. */
  readonly availableRatio: number;
  readonly unknownRatio: number;
  readonly runs: number;
  readonly failures: number;
}

export interface HistoryEntry {
  /** `generation`, or another kind for a run that built none. */
  readonly kind: string;
  readonly at: number;
  readonly generation?: number;
  readonly newestAt?: number | null;
  readonly contentHash?: string;
  readonly bodyBytes?: number;
  readonly records?: Readonly<Record<string, number>>;
  readonly changes?: Readonly<
    Record<string, { readonly added: number; readonly changed: number; readonly removed: number }>
  >;
  readonly provenanceCount?: number;
  readonly error?: string | null;
}

/** The generation that was served at an instant: the newest one built before it. */
export function servedAt(entries: readonly HistoryEntry[], at: number): number | undefined {
  return entries.find((entry) => entry.generation !== undefined && entry.at <= at)?.generation;
}

/** The changes from the previous generation, in words. */
export function changesText({ generation, changes }: Pick<HistoryEntry, "generation" | "changes">): string {
  if (generation === 1) return "the first";
  const total = { added: 0, changed: 0, removed: 0 };
  for (const { added, changed, removed } of Object.values(changes ?? {})) {
    total.added += added;
    total.changed += changed;
    total.removed += removed;
  }
  const words = Object.entries(total).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []));
  return changes === undefined ? "" : words.join(", ") || "nothing";
}
