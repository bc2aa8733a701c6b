import type { Company } from "./company.js";

/** True if a change does not affect the terms that providers search for. */
export function isSearchedAlike(before: Company, after: Company): boolean {
  return searchedFor(before) === searchedFor(after);
}

function searchedFor({ name, domicileCountry, claims }: Company): string {
  return JSON.stringify([name, domicileCountry, claims.map(({ type, value }) => [type, value])]);
}
