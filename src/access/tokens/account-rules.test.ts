import { describe, expect, test } from "vitest";
import { type AccountRule, matchAccount, parseAccountRules } from "./account-rules.js";

const team: AccountRule = { claim: "groups", equals: "vigil-pro", account: "acc_team", plan: "pro" };
const anyone: AccountRule = { claim: "sub", equals: "*", account: "oidc_{sub}", plan: "free" };
const rule = (changes: Partial<AccountRule>): AccountRule => ({ ...anyone, ...changes });

describe("parsing the setting", () => {
  test("rules keep their order", () => {
    expect(parseAccountRules(JSON.stringify([team, anyone]))).toEqual([team, anyone]);
  });

  test.each([
    ["account rules are not JSON", "groups=vigil-pro"],
    ["account rules must be a JSON array of rules", "{}"],
    ["account rules must be a JSON array of rules", "[]"],
  ])("the setting is refused with the error '%s': %s", (sentence, text) => {
    expect(() => parseAccountRules(text)).toThrow(sentence);
  });

  test.each<[string, unknown]>([
    ["must be an object", null],
    ["must be an object", ["sub"]],
    ["has an unknown member tier; the known members are claim, equals, account, plan", { ...anyone, tier: 1 }],
    ["claim must be a non-empty string", { ...anyone, claim: "" }],
    ["claim must be a non-empty string", { ...anyone, claim: 1 }],
    ["equals must be a non-empty string", { ...anyone, equals: undefined }],
    ["account must be a non-empty string", { ...anyone, account: null }],
    ["plan must be a non-empty string", { ...anyone, plan: undefined }],
    ["plan must be one of free, pro, starter, business, enterprise, got gold", { ...anyone, plan: "gold" }],
    ["plan must be one of free, pro, starter, business, enterprise, got toString", { ...anyone, plan: "toString" }],
    [
      "account may contain only letters, digits, the characters ._@:- and claims in braces",
      { ...anyone, account: "acc team" },
    ],
    [
      "account may contain only letters, digits, the characters ._@:- and claims in braces",
      { ...anyone, account: "oidc_{sub" },
    ],
    [
      "account may contain only letters, digits, the characters ._@:- and claims in braces",
      { ...anyone, account: "oidc_{}" },
    ],
    ["account must begin with fixed text", { ...anyone, account: "{sub}" }],
    ["account needs a colon between two claims", { ...anyone, account: "oidc_{tid}_{sub}" }],
  ])("the second rule is refused with the error '%s'", (sentence, bad) => {
    expect(() => parseAccountRules(JSON.stringify([team, bad]))).toThrow(`account rule 2: ${sentence}`);
  });
});

describe("matching", () => {
  const cases: [what: string, rule: AccountRule, claims: Record<string, unknown>, account: string | undefined][] = [
    ["a claim equal to the text", team, { groups: "vigil-pro" }, "acc_team"],
    ["a claim that only starts with the text", team, { groups: "vigil-pro-2" }, undefined],
    ["a claim in a different case", team, { groups: "Vigil-Pro" }, undefined],
    ["an array that contains the text", team, { groups: ["staff", "vigil-pro"] }, "acc_team"],
    ["an array without the text", team, { groups: ["staff", ["vigil-pro"], 1, null] }, undefined],
    ["a token without the claim", team, {}, undefined],
    ["a claim that is not a string", rule({ claim: "level", equals: "1", account: "a" }), { level: 1 }, undefined],
    [
      "a path",
      rule({ claim: "realm_access.roles", equals: "vigil", account: "a" }),
      { realm_access: { roles: ["vigil"] } },
      "a",
    ],
    ["a path that is deeper than the claims", rule({ claim: "a.b.c", account: "a" }), { a: { b: "c" } }, undefined],
    ["a path through a string", rule({ claim: "a.length", account: "a" }), { a: "text" }, undefined],
    ["a path through null", rule({ claim: "a.b", account: "a" }), { a: null }, undefined],
    ["a path to an inherited member", rule({ claim: "a.constructor.name", account: "a" }), { a: {} }, undefined],
    [
      "a claim named by a URL",
      rule({ claim: "https://a.example/group", equals: "x", account: "a" }),
      { "https://a.example/group": "x" },
      "a",
    ],
    ["the wildcard and a non-empty claim", anyone, { sub: "u-1" }, "oidc_u-1"],
    ["the wildcard and an empty claim", anyone, { sub: "" }, undefined],
    ["the wildcard and a number", anyone, { sub: 7 }, undefined],
    ["the wildcard and a filled array", rule({ claim: "groups", account: "a" }), { groups: ["", "x"] }, "a"],
    ["the wildcard and an empty array", rule({ claim: "groups", account: "a" }), { groups: [] }, undefined],
    [
      "a template with a path",
      rule({ account: "oidc_{user.name}" }),
      { sub: "u", user: { name: "ann@a.example" } },
      "oidc_ann@a.example",
    ],
    ["a template with two claims", rule({ account: "oidc_{tid}:{sub}" }), { sub: "u", tid: "t" }, "oidc_t:u"],
    ["a template whose claim is missing", rule({ account: "oidc_{email}" }), { sub: "u" }, undefined],
    ["a template whose claim is an array", rule({ account: "oidc_{groups}" }), { sub: "u", groups: ["a"] }, undefined],
    ["a claim of 128 characters", anyone, { sub: "a".repeat(128) }, `oidc_${"a".repeat(128)}`],
    ["a claim of 129 characters", anyone, { sub: "a".repeat(129) }, undefined],
    ["a claim with a replacement pattern", anyone, { sub: "$&" }, undefined],
    ["a claim with a template", anyone, { sub: "{email}", email: "a" }, undefined],
  ];
  test.each(cases.map(([what, rule, claims, account = "no account"]) => ({ what, rule, claims, account })))(
    "the account for $what is '$account'",
    ({ rule: tested, claims, account }) => {
      expect(matchAccount([tested], claims)?.account ?? "no account").toBe(account);
    },
  );

  test.each(["a b", "a/b", "a:b", "a\n", "ä", "a\0", "a|b", "a%2e"])(
    "a claim with the unsuitable text %j matches no rule",
    (sub) => {
      expect(matchAccount([anyone], { sub })).toBeUndefined();
    },
  );

  test("the first matching rule applies", () => {
    const claims = { sub: "u", groups: ["vigil-pro"] };
    expect(matchAccount([team, anyone], claims)).toEqual({ account: "acc_team", plan: "pro" });
    expect(matchAccount([anyone, team], claims)).toEqual({ account: "oidc_u", plan: "free" });
  });

  test("a rule whose template cannot be filled is skipped", () => {
    const claims = { sub: "auth0|7", groups: ["vigil-pro"] };
    expect(matchAccount([anyone, team], claims)).toEqual({ account: "acc_team", plan: "pro" });
  });
});
