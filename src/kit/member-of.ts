/**
 * The table's own member with this name. Undefined for inherited members such as `constructor` or `toString`, because a
 * name from outside may be one of these.
 */
export function memberOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
