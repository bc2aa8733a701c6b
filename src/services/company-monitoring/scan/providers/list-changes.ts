import type { AvailableSnapshot } from "../../../../contract/snapshot.js";
import type { Finding } from "../finding.js";
import type { StoredFinding } from "../provider.js";

/** The words between the name and the list in a finding's title. */
export const LISTED = " is on the list ";
const DELISTED = " is no longer on the list ";
/** In a finding's id, separates the id of the list entry from the number of the listing. */
const NUMBER = " #";

type ReadLists = Pick<AvailableSnapshot<{ readonly ids: ReadonlySet<string> }>, "view" | "parts" | "aged">;

/** The newest finding on an entry of a list. */
interface EntryState extends StoredFinding {
  readonly entryId: string;
  /** The number of times that the entry has been listed. */
  readonly listingCount: number;
}

/**
 * Returns a new finding for each entry that was removed from its list, or was listed again after a removal. A list is
 * considered only if it is not too old, and its newest read succeeded, was complete and is newer than the entry's
 * newest finding.
 */
export function listChanges(
  stored: readonly StoredFinding[],
  newFindings: readonly Finding[],
  lists: ReadLists,
): readonly Finding[] {
  const states = statesOf(stored);
  const isListed = (entryId: string): boolean => lists.view.ids.has(entryId);
  const current = [...states.filter(({ entryId }) => isListed(entryId)).map(({ finding }) => finding), ...newFindings];
  return states.flatMap(({ entryId, finding, foundAt, listingCount }) => {
    const confirmedAt = confirmationOf(entryId, lists);
    if (confirmedAt === undefined || confirmedAt <= foundAt) return [];
    if (finding.withdraws === undefined) {
      // If a list has renumbered its entries, the entry is still listed, under another id.
      const isRenumbered = current.some(({ origin, title }) => origin === finding.origin && title === finding.title);
      return isListed(entryId) || isRenumbered
        ? []
        : [delisting(finding, listingId(entryId, listingCount), confirmedAt)];
    }
    const again = newFindings.find(({ sourceId }) => sourceId === entryId);
    return again ? [{ ...again, sourceId: listingId(entryId, listingCount + 1), publishedAt: confirmedAt }] : [];
  });
}

/** Returns the source id of a listing; the first listing has the id of the entry. */
function listingId(entryId: string, count: number): string {
  return count === 1 ? entryId : `${entryId}${NUMBER}${count}`;
}

function delisting(listing: Finding, sourceId: string, confirmedAt: number): Finding {
  return {
    ...listing,
    sourceId: `${sourceId}${sourceId.includes(NUMBER) ? "" : `${NUMBER}1`} delisted`,
    title: listing.title.replace(LISTED, DELISTED),
    publishedAt: confirmedAt,
    withdraws: sourceId,
  };
}

function statesOf(stored: readonly StoredFinding[]): readonly EntryState[] {
  const states = new Map<string, EntryState>();
  for (const { finding, foundAt } of stored) {
    const [entryId = ""] = finding.sourceId.split(NUMBER, 1);
    const earlierCount = states.get(entryId)?.listingCount ?? 0;
    const listingCount = earlierCount + (finding.withdraws === undefined ? 1 : 0);
    states.set(entryId, { entryId, finding, foundAt, listingCount });
  }
  return [...states.values()];
}

/**
 * Returns the time of the newest read of an entry's list; undefined if that read failed, or if the list is too old or
 * lacks rows.
 */
function confirmationOf(entryId: string, { parts, aged = [] }: ReadLists): number | undefined {
  const [key = ""] = entryId.split(":", 1);
  const { state, lacking, confirmedAt } = parts[key] ?? {};
  const isWhole = state === "fresh" && lacking === undefined && !aged.some(({ part }) => part === key);
  return isWhole ? (confirmedAt ?? undefined) : undefined;
}
