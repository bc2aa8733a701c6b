/**
 * The table's own member of this name. Undefined for `constructor`, `toString` and other names that every object inherits:
 * a name that comes from outside may be any of them.
 */
export function memberOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
