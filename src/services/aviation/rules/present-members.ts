/** The members of a record that are neither null nor undefined. */
export type PresentMembers<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** Drops members that are undefined, null or an empty string. */
export function presentMembers<T extends object>(members: T): PresentMembers<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== "");
  // The cast restores the names of the members, which the type of `Object.fromEntries` loses.
  return Object.fromEntries(present) as PresentMembers<T>;
}
