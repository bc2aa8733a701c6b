import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import { type ListKey, listNames, type SearchedList } from "../records.js";

interface WithLists {
  readonly lists: Readonly<Record<ListKey, { readonly entryCount: number; readonly publishedAt: number | undefined }>>;
}

/** Each list with the date of its searched version. A list that is not stored is marked as not searched. */
export function searchedLists({ view, parts }: AvailableSnapshot<WithLists>): SearchedList[] {
  // Object.entries loses the key types.
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
