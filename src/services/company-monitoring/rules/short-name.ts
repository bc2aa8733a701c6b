/** Shortens the name of an enum member: `COMPANY_OBSERVATION_STATE_EVENTS_OBSERVED` becomes `events_observed`. */
export function shortName(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase();
}

/** Like `shortName`, but with spaces: `COMPANY_OBSERVATION_STATE_EVENTS_OBSERVED` becomes `events observed`. */
export function readableName(name: string, prefix: string): string {
  return shortName(name, prefix).replaceAll("_", " ");
}
