import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import { type ListKey, listNames, type SearchedList } from "../records.js";

interface WithLists {
  readonly lists: Readonly<Record<ListKey, { readonly entryCount: number; readonly publishedAt: number | undefined }>>;
}

/**
 * Returns every list with the date of the version that was searched. A list that is not stored is marked as not
 * searched.
 */
export function searchedLists({ view, parts }: AvailableSnapshot<WithLists>): SearchedList[] {
  // The cast is needed because `Object.entries` returns keys of type string.
  return (Object.entries(listNames) as [ListKey, string][]).map(([key, name]) => {
    const { entryCount, publishedAt } = view.lists[key];
    const { confirmedAt = null, error = null } = parts[key] ?? {};
    const searched = entryCount > 0;
    return {
      name,
      searched,
      ...(searched && { entryCount }),
      ...(searched && confirmedAt !== null && { readAt: confirmedAt }),
      ...(searched && publishedAt !== undefined && { publishedAt }),
      ...(error !== null && { error }),
    };
  });
}
