/** The members of a record that its source told. */
export type Told<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** The members that have a value: those that are undefined, null or a blank text are left out. */
export function told<T extends object>(members: T): Told<T> {
  const known = Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== "");
  // Entries lose the names of their members.
  return Object.fromEntries(known) as Told<T>;
}
