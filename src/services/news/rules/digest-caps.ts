const [PER_FEED, PER_CATEGORY] = [5, 20];

/** The newest five of a feed, given newest first, and how many are left out. */
export function withinFeedCap<T>(newestFirst: readonly T[]): { readonly kept: readonly T[]; readonly dropped: number } {
  return cut(newestFirst, PER_FEED);
}

/** The first twenty of a category, given in its order, and how many are left out. */
export function withinCategoryCap<T>(inOrder: readonly T[]): { readonly kept: readonly T[]; readonly dropped: number } {
  return cut(inOrder, PER_CATEGORY);
}

function cut<T>(rows: readonly T[], most: number): { readonly kept: readonly T[]; readonly dropped: number } {
  return { kept: rows.slice(0, most), dropped: Math.max(0, rows.length - most) };
}
