import type { Company } from "./company.js";

/**
 * True if a change leaves the name, the country, and the types and values of the claims as they are. Providers derive
 * their search terms from these members.
 */
export function isSearchedAlike(before: Company, after: Company): boolean {
  return searchedFor(before) === searchedFor(after);
}

function searchedFor({ name, domicileCountry, claims }: Company): string {
  return JSON.stringify([name, domicileCountry, claims.map(({ type, value }) => [type, value])]);
}
