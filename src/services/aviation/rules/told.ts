/** A record without its unknown members. */
export type Told<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** Drops members that are undefined, null or blank. */
export function told<T extends object>(members: T): Told<T> {
  const present = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== "");
  // The type of Object.fromEntries loses the names of the members.
  return Object.fromEntries(present) as Told<T>;
}
