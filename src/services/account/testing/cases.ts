import type { ServiceCases } from "../../../contract/testing/service-cases.js";

const NAME = "Walked";

export const cases: ServiceCases = {
  operations: {},
  datasets: {},
  accountReads: {
    "get-account": { answer: { account: { id: "operator" }, credential: "key", plan: "enterprise", tier: 3 } },
    "get-usage": { answer: { limits: [{ name: "key", limit: 6_000 }], quotas: [] } },
    "list-keys": { answer: { keys: [{ accountId: "operator", name: "owner.key" }] } },
    "list-sessions": { answer: { sessions: [] } },
    "list-accounts": { answer: { accounts: [{ id: "operator" }] } },
    "list-audit-events": { answer: { events: [{ action: "key.created" }] } },
  },
  writes: {
    "create-account": {
      kind: "write",
      body: () => ({ name: NAME, plan: "pro" }),
      answer: { account: { name: NAME, plan: "pro", planState: "active" } },
    },
    "create-key": {
      kind: "write",
      body: () => ({ name: NAME }),
      answer: { card: { accountId: "operator", name: NAME } },
    },
    "end-session": { kind: "elsewhere", file: "test/account.test.ts" },
    "oauth-token": {
      kind: "write",
      body: ({ ownerKey }) => ({ grant_type: "client_credentials", client_secret: ownerKey }),
      answer: { token_type: "Bearer", expires_in: 900 },
    },
    "plan-events": { kind: "elsewhere", file: "test/account.test.ts" },
    "revoke-key": {
      kind: "write",
      after: { path: "/api/account/v1/create-key", body: { name: NAME } },
      body: ({ earlier }) => ({ keyId: (earlier["card"] as { readonly id: string }).id }),
      answer: { card: { name: NAME } },
    },
    "set-plan": {
      kind: "write",
      after: { path: "/api/account/v1/create-account", body: { name: NAME, plan: "pro" } },
      body: ({ earlier }) => ({
        accountId: (earlier["account"] as { readonly id: string }).id,
        plan: "business",
        state: "lapsed",
      }),
      answer: { account: { name: NAME, plan: "business", planState: "lapsed" } },
    },
    "sign-in": { kind: "write", body: ({ ownerKey }) => ({ key: ownerKey }), answer: {} },
    "sign-out": { kind: "write", body: () => ({}), answer: { signedOut: false } },
  },
};
