import type { Company } from "./company.js";

/** True if a change makes no difference to what providers look for. */
export function isSearchedAlike(before: Company, after: Company): boolean {
  return searchedFor(before) === searchedFor(after);
}

function searchedFor({ name, domicileCountry, claims }: Company): string {
  return JSON.stringify([name, domicileCountry, claims.map(({ type, value }) => [type, value])]);
}
