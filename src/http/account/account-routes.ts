import { auditEvents } from "../../access/audit-log.js";
import { plans } from "../../contract/access/plans.js";
import type { Principal } from "../../contract/access/principal.js";
import { failure } from "../../contract/failures.js";
import type { PlatformPath } from "../../contract/openapi.js";
import { SECOND_MS } from "../../kit/clock.js";
import { type Standing, windowMsOf } from "../../limits/limiter.js";
import { type Exchange, jsonAnswer } from "../exchange.js";
import type { PlatformRoute } from "../routes.js";
import { accountFor } from "./key-actions.js";
import { type AccountParts, fromStore } from "./parts.js";
import { signInPage } from "./sign-in-page.js";

const JSON_TYPE = "application/json";

const AccountIdParameter = {
  name: "account_id",
  description: "Another account; for the operator alone",
  schema: { type: "string" },
};
const LimitParameter = {
  name: "limit",
  description: "Most items of the list; default and maximum 200",
  schema: { type: "integer", minimum: 0 },
};

/** The account paths that take GET, as the documents describe them. */
export const accountPaths: readonly PlatformPath[] = [
  {
    path: "/api/account/v1/get-account",
    operationId: "get-account",
    summary: "The caller's account",
    description: "Account, plan, tier and scopes of the credential.",
    isOpen: false,
    contentType: JSON_TYPE,
  },
  {
    path: "/api/account/v1/get-usage",
    operationId: "get-usage",
    summary: "The caller's limits and daily quotas",
    description: "Every limit with what is left. The call is free.",
    isOpen: false,
    contentType: JSON_TYPE,
  },
  {
    path: "/api/account/v1/list-keys",
    operationId: "list-keys",
    summary: "The keys of the account",
    description: "Cards of the keys, never the keys themselves.",
    isOpen: false,
    contentType: JSON_TYPE,
    parameters: [AccountIdParameter],
    failures: ["itemNotFound"],
  },
  {
    path: "/api/account/v1/list-accounts",
    operationId: "list-accounts",
    summary: "All accounts (operator)",
    description: "Accounts in the order of their ids.",
    isOpen: false,
    contentType: JSON_TYPE,
    parameters: [
      { name: "after", description: "Only accounts behind this id", schema: { type: "string" } },
      LimitParameter,
    ],
    failures: ["operatorOnly", "validation"],
  },
  {
    path: "/api/account/v1/list-audit-events",
    operationId: "list-audit-events",
    summary: "Changes to accounts and keys (operator)",
    description: "The audit log, newest first.",
    isOpen: false,
    contentType: JSON_TYPE,
    parameters: [
      { name: "action", description: "Only events of this kind", schema: { type: "string" } },
      { name: "account_id", description: "Only events of this account", schema: { type: "string" } },
      { name: "before", description: "Only events before this position", schema: { type: "integer", minimum: 0 } },
      LimitParameter,
    ],
    failures: ["operatorOnly", "validation"],
  },
  {
    path: "/.well-known/jwks.json",
    operationId: "jwks",
    summary: "Public keys of the access tokens",
    description: "A JSON Web Key Set.",
    isOpen: true,
    contentType: JSON_TYPE,
  },
  {
    path: "/sign-in",
    operationId: "sign-in-page",
    summary: "A page to sign in on",
    description: "Takes a key or a one-time link.",
    isOpen: true,
    contentType: "text/html",
  },
];

/** The account paths that take GET. */
export function accountRoutes(parts: AccountParts): readonly PlatformRoute[] {
  const { accounts, limits, database } = parts;
  const counted = async (
    look: () => readonly Standing[] | Promise<readonly Standing[]>,
  ): Promise<readonly object[]> => {
    try {
      return (await look()).map(usageOf);
    } catch (error) {
      throw failure("limiterUnavailable", null, error);
    }
  };
  const own = (
    path: string,
    answer: (principal: Principal, query: URLSearchParams, exchange: Exchange) => Promise<object>,
    operatorOnly = false,
  ): PlatformRoute => ({
    kind: "platform",
    path: `/api/account/v1/${path}`,
    isOpen: () => false,
    isOwnAccount: true,
    operatorOnly,
    // The credential step ran before.
    answer: async (exchange) => {
      const query = new URLSearchParams(exchange.search);
      return jsonAnswer(200, await fromStore(() => answer(exchange.principal as Principal, query, exchange)));
    },
  });
  return [
    own("get-account", async (principal) => {
      const account = principal.accountId === undefined ? undefined : await accounts.find(principal.accountId);
      const { kind, scopes, plan, planState } = principal;
      return { account, credential: kind, scopes: [...scopes], plan, planState, tier: plans[plan].tier };
    }),
    own("get-usage", async (principal, _query, exchange) => ({
      limits: await counted(() => limits.standings({ principal, address: parts.addressOf(exchange) })),
      quotas: await counted(() => limits.quotas(principal)),
    })),
    own("list-keys", async (principal, query) => {
      const account = accountFor(principal, query.get("account_id") || undefined);
      return { keys: await accounts.keys(account) };
    }),
    own(
      "list-accounts",
      async (_principal, query) => {
        const after = query.get("after") || undefined;
        return { accounts: await accounts.list({ ...(after && { after }), limit: limitIn(query) }) };
      },
      true,
    ),
    own(
      "list-audit-events",
      async (_principal, query) => {
        const action = query.get("action") || undefined;
        const accountId = query.get("account_id") || undefined;
        const before = wholeNumber(query, "before");
        const wanted = { ...(action && { action }), ...(accountId && { accountId }), ...(before && { before }) };
        return { events: await auditEvents(database.db, { ...wanted, limit: limitIn(query) }) };
      },
      true,
    ),
    {
      kind: "platform",
      path: "/.well-known/jwks.json",
      isOpen: () => true,
      answer: async () => jsonAnswer(200, await parts.tokens.jwks(), { "Cache-Control": "public, max-age=600" }),
    },
    { kind: "platform", path: "/sign-in", isOpen: () => true, answer: signInPage },
  ];
}

function usageOf({ limit, remaining, resetAt }: Standing): object {
  return {
    ...{ name: limit.name, limit: limit.max, windowSeconds: windowMsOf(limit) / SECOND_MS },
    ...{ used: limit.max - remaining, remaining, resetAt },
  };
}

/** Most items of one list; what is asked beyond is cut to it. */
const ITEMS_MAX = 200;

function limitIn(query: URLSearchParams): number {
  return Math.min(wholeNumber(query, "limit") || ITEMS_MAX, ITEMS_MAX);
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw failure("validation", { violations: [{ field: name, description: `must be a whole number, got "${text}"` }] });
}
