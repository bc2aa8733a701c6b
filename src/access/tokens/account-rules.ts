import { isPlanKey, type PlanKey, planKeys } from "../../contract/access/plans.js";

/** A rule that maps a token of an OpenID provider to an account. */
export interface AccountRule {
  /** Name of a claim; dots separate the names of nested members. */
  readonly claim: string;
  /** The text that the claim must equal, or contain if the claim is an array; `*` matches any non-empty text. */
  readonly equals: string;
  /** The account's id; `{claim}` is replaced by the text of that claim. */
  readonly account: string;
  readonly plan: PlanKey;
}

export interface MatchedAccount {
  readonly account: string;
  readonly plan: PlanKey;
}

type Claims = Readonly<Record<string, unknown>>;

const members = ["claim", "equals", "account", "plan"] as const;

/** Letters, digits, `._@:-` and `{claim}` placeholders. */
const ACCOUNT = /^(?:[A-Za-z0-9._@:-]|\{[^{}]+\})+$/;
const PLACEHOLDER = /\{([^{}]+)\}/g;

/**
 * The text of a claim that may become part of an account's id. The text has no colon, so that a colon can separate two
 * claims.
 */
const CLAIM_TEXT = /^[A-Za-z0-9._@-]{1,128}$/;

/** Parses the rules of a setting, in order. Throws an error that states the rule and the problem. */
export function parseAccountRules(text: string): readonly AccountRule[] {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed) || parsed.length === 0) throw new Error("account rules must be a JSON array of rules");
  return parsed.map((rule, index) => {
    const problem = problemOf(rule);
    if (problem !== undefined) throw new Error(`account rule ${index + 1}: ${problem}`);
    return rule;
  });
}

/** Returns the account of the first matching rule; undefined if none matches. */
export function matchAccount(rules: readonly AccountRule[], claims: Claims): MatchedAccount | undefined {
  for (const rule of rules) {
    const account = textsAt(claims, rule.claim).some((text) => isMatch(rule, text)) && accountOf(rule, claims);
    if (account) return { account, plan: rule.plan };
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error("account rules are not JSON", { cause });
  }
}

function problemOf(rule: unknown): string | undefined {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return "must be an object";
  const unknown = Object.keys(rule).find((name) => !members.some((member) => member === name));
  if (unknown !== undefined) return `has an unknown member ${unknown}; the known members are ${members.join(", ")}`;
  for (const member of members) {
    const value = textsAt(rule, member)[0];
    if (!value) return `${member} must be a non-empty string`;
    const problem = member === "account" ? problemOfAccount(value) : member === "plan" && problemOfPlan(value);
    if (problem) return problem;
  }
  return undefined;
}

function problemOfPlan(plan: string): string | undefined {
  return isPlanKey(plan) ? undefined : `plan must be one of ${planKeys.join(", ")}, got ${plan}`;
}

function problemOfAccount(account: string): string | undefined {
  if (!ACCOUNT.test(account))
    return "account may contain only letters, digits, the characters ._@:- and claims in braces";
  if (account.startsWith("{")) {
    return "account must begin with fixed text; otherwise, a claim could name any existing account";
  }
  if (/\}[^:{}]*\{/.test(account)) {
    return "account needs a colon between two claims; otherwise, the two together could name another account";
  }
  return undefined;
}

function isMatch({ equals }: AccountRule, text: string): boolean {
  return equals === "*" ? text !== "" : text === equals;
}

/**
 * Returns the id in `account` with its placeholders filled in. Undefined if a claim is missing or unsuitable, so that
 * the rule does not match.
 */
function accountOf({ account }: AccountRule, claims: Claims): string | undefined {
  const paths = [...account.matchAll(PLACEHOLDER)].map(([, path = ""]) => path);
  const isFit = paths.every((path) => CLAIM_TEXT.test(textAt(claims, path) ?? ""));
  return isFit ? account.replace(PLACEHOLDER, (_, path: string) => textAt(claims, path) ?? "") : undefined;
}

function textAt(claims: object, path: string): string | undefined {
  const value = valueAt(claims, path);
  return typeof value === "string" ? value : undefined;
}

/** The texts of a claim: its text, or the strings in it if it is an array. */
function textsAt(claims: object, path: string): readonly string[] {
  const value = valueAt(claims, path);
  return (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
}

/**
 * Looks up a claim. An exact name takes precedence over a path, because some providers name claims by URLs with dots.
 */
function valueAt(claims: object, path: string): unknown {
  return Object.hasOwn(claims, path) ? ownValue(claims, path) : path.split(".").reduce(ownValue, claims);
}

function ownValue(holder: unknown, name: string): unknown {
  const isHolder = typeof holder === "object" && holder !== null && Object.hasOwn(holder, name);
  // The cast is safe, because the members of any object can be read by name.
  return isHolder ? (holder as Claims)[name] : undefined;
}
