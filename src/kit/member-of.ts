/**
 * The table's own member of this name. Undefined for `constructor`, `toString` and other inherited names, because a
 * name from outside may be one of them.
 */
export function memberOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
