/**
 * Returns the spoken form of a name that is listed with the surname first (`HANIYA, Ismail`); undefined for other
 * names.
 */
export function spokenName(name: string): string | undefined {
  const comma = name.indexOf(", ");
  return comma > 0 && name.indexOf(",", comma + 1) === -1
    ? `${name.slice(comma + 2)} ${name.slice(0, comma)}`
    : undefined;
}
