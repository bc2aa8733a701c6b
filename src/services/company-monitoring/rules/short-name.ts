/** Shortens the name of an enum member: `MONITORING_PROVIDER_WEB_SEARCH` becomes `web_search`. */
export function shortName(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase();
}

/** Returns the readable form of the name of an enum member: `MONITORING_PROVIDER_WEB_SEARCH` becomes `web search`. */
export function readableName(name: string, prefix: string): string {
  return shortName(name, prefix).replaceAll("_", " ");
}
