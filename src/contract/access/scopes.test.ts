import { describe, expect, test } from "vitest";
import { everyScope, isScope, type Scope, scopes, scopesOf, scopeText } from "./scopes.js";

/** Every subset of the scopes except the empty one. */
const subsets = Array.from({ length: 2 ** scopes.length - 1 }, (_, bits) =>
  scopes.filter((_scope, at) => ((bits + 1) >> at) & 1),
);

describe("scopes", () => {
  test.each(scopes)("%j is a scope", (scope) => expect(isScope(scope)).toBe(true));

  test.each(["", "READ", "read ", "account", "account:read", "company_monitoring:*", "*", "toString"])(
    "%j is not a scope",
    (text) => expect(isScope(text)).toBe(false),
  );

  test.each(subsets.map((carried) => [carried.join(" + "), carried] as const))(
    "the scopes %j are stored and read back",
    (_, carried) => {
      expect(scopesOf(scopeText(new Set(carried)))).toEqual(new Set(carried));
    },
  );

  test("the full set is stored as a wildcard, which includes scopes of later versions", () => {
    expect(scopeText(everyScope)).toBe("*");
    expect(scopeText(new Set<Scope>([...scopes].reverse()))).toBe("*");
    expect(scopesOf("*")).toEqual(new Set(scopes));
  });

  test("unknown scopes of later versions are ignored", () => {
    expect(scopesOf("read billing:write company_monitoring:read")).toEqual(
      new Set(["read", "company_monitoring:read"]),
    );
  });

  test("an empty string grants no scope", () => {
    expect(scopesOf("")).toEqual(new Set());
  });
});
