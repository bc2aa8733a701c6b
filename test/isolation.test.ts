import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEvents } from "../src/access/audit-log.js";
import { hashOfKey } from "../src/access/key-format.js";
import { hashOfSession, sessionIdOf } from "../src/access/session-token.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import type { Pipeline } from "../src/http/pipeline.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import {
  ACCOUNT,
  askToken,
  byCookie,
  byKey,
  byOwner,
  type CallHeaders,
  emptyAccount,
  freshAddress,
  issueToken,
  LIST_PROBE,
  makeAccount,
  makeKey,
  openSession,
  PRO_PROBE,
  post,
  revoke,
  type TestAccount,
  withProbes,
} from "./support/accounts.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const BATCH = "/api/batch/v1/execute";
const DISASTERS = "/api/climate/v1/list-climate-disasters";
const ANOMALIES = "/api/climate/v1/list-climate-anomalies";
const LIMITED_OPERATOR = "limited-operator-key-0123456789abcdef";

let stack: Stack;
/** The account under attack. */
let a: TestAccount;
/** The attacking account. */
let b: TestAccount;
let probes: Pipeline;
beforeAll(async () => {
  stack = await startStack({ env: { VIGIL_ENTERPRISE_KEYS: `${LIMITED_OPERATOR}=read` } });
  a = await makeAccount(stack, "Alderney Ferries", "starter");
  b = await makeAccount(stack, "Burgundy Rail", "business");
  probes = withProbes(stack);
  for (const name of ["climate-disasters", "climate-anomalies", "climate-normals"]) await stack.run(name);
}, 60_000);
afterAll(() => stack.close());

const credentialsOfB = (): readonly (readonly [name: string, headers: CallHeaders])[] => [
  ["a key", byKey(b.manager)],
  ["a session as the key", { "x-service-key": b.session }],
  ["a session cookie", byCookie(b.session)],
];

const get = (path: string, headers: CallHeaders, on: Pipeline = stack.answer) => call(on, "GET", path, headers);

/** Reads the stored rows that belong to an account. */
async function stored(accountId: string): Promise<unknown> {
  const { db } = stack.service.database;
  const keys = await db.selectFrom("api_key").selectAll().where("account_id", "=", accountId).orderBy("id").execute();
  const ids = keys.map(({ id }) => id);
  return {
    account: await db.selectFrom("account").selectAll().where("id", "=", accountId).execute(),
    keys,
    sessions: await db.selectFrom("session").selectAll().where("key_id", "in", ids).execute(),
    events: await auditEvents(db, { accountId, limit: 200 }),
  };
}

/** Strings that identify an account. */
function traces({ id, name, plan, manager, reader, session, token }: TestAccount): readonly string[] {
  const cards = [manager.card, reader.card].flatMap((card) => [card.id, card.name, card.hint]);
  return [id, name, plan, ...cards, manager.key, reader.key, session, token];
}

function expectNothingOf(account: TestAccount, { headers, limitHeaders, body }: IdentifiedAnswer): void {
  const shown = JSON.stringify([headers, limitHeaders, String(body)]);
  expect(traces(account).filter((trace) => shown.includes(trace))).toEqual([]);
}

/** Returns the id of the account to which the service attributes these headers, or the service's refusal. */
async function whoIs(headers: CallHeaders, target = `${ACCOUNT}/get-account`): Promise<unknown> {
  const answer = await get(target, headers);
  if (answer.status !== 200) return [answer.status, (json(answer) as { error: string }).error];
  return (json(answer) as { account: { id: string } }).account.id;
}

interface Attack {
  readonly name: string;
  readonly run: (headers: CallHeaders) => Promise<IdentifiedAnswer>;
  readonly status: number;
  readonly error: string;
}

const postTo = (path: string, body: () => unknown) => (headers: CallHeaders) =>
  post(stack.answer, `${ACCOUNT}/${path}`, body(), headers);
const getFrom = (path: () => string) => (headers: CallHeaders) => get(`${ACCOUNT}/${path()}`, headers);

const sessionOf = ({ session }: TestAccount): string => sessionIdOf(hashOfSession(session));

const keyNotFound = { status: 404, error: "No such key" };
const accountNotFound = { status: 404, error: "No such account" };
const forOperator = { status: 403, error: "Only the operator may do this" };

describe("data of another account", () => {
  const attacks: readonly Attack[] = [
    { name: "revoke its key", run: postTo("revoke-key", () => ({ keyId: a.reader.card.id })), ...keyNotFound },
    {
      name: "revoke its key with its account's id",
      run: postTo("revoke-key", () => ({ keyId: a.reader.card.id, accountId: a.id })),
      ...accountNotFound,
    },
    {
      name: "revoke its key with the attacker's account id",
      run: postTo("revoke-key", () => ({ keyId: a.reader.card.id, accountId: b.id })),
      ...keyNotFound,
    },
    {
      name: "revoke the attacker's key with the other account's id",
      run: postTo("revoke-key", () => ({ keyId: b.reader.card.id, accountId: a.id })),
      ...accountNotFound,
    },
    {
      name: "revoke the owner's key",
      run: postTo("revoke-key", () => ({ keyId: stack.service.access.ownerKey.id })),
      ...keyNotFound,
    },
    {
      name: "revoke the owner's key with the operator's account id",
      run: postTo("revoke-key", () => ({ keyId: stack.service.access.ownerKey.id, accountId: "operator" })),
      ...accountNotFound,
    },
    {
      name: "create a key for it",
      run: postTo("create-key", () => ({ name: "x", accountId: a.id })),
      ...accountNotFound,
    },
    {
      name: "create a key for the operator",
      run: postTo("create-key", () => ({ name: "x", accountId: "operator" })),
      ...accountNotFound,
    },
    { name: "list its keys", run: getFrom(() => `list-keys?account_id=${a.id}`), ...accountNotFound },
    {
      name: "list its keys with its account's id and then the attacker's",
      run: getFrom(() => `list-keys?account_id=${a.id}&account_id=${b.id}`),
      ...accountNotFound,
    },
    { name: "list the operator's keys", run: getFrom(() => "list-keys?account_id=operator"), ...accountNotFound },
    { name: "list its sessions", run: getFrom(() => `list-sessions?account_id=${a.id}`), ...accountNotFound },
    {
      name: "end its session",
      run: postTo("end-session", () => ({ sessionId: sessionOf(a) })),
      status: 404,
      error: "No such session",
    },
    {
      name: "end its session with its account's id",
      run: postTo("end-session", () => ({ sessionId: sessionOf(a), accountId: a.id })),
      ...accountNotFound,
    },
    { name: "list all accounts", run: getFrom(() => "list-accounts"), ...forOperator },
    { name: "read the audit log", run: getFrom(() => "list-audit-events"), ...forOperator },
    { name: "read its audit log", run: getFrom(() => `list-audit-events?account_id=${a.id}`), ...forOperator },
    {
      name: "change its plan",
      run: postTo("set-plan", () => ({ accountId: a.id, plan: "free", state: "lapsed" })),
      ...forOperator,
    },
    {
      name: "change the attacker's plan",
      run: postTo("set-plan", () => ({ accountId: b.id, plan: "enterprise", state: "active" })),
      ...forOperator,
    },
    {
      name: "create an account",
      run: postTo("create-account", () => ({ name: "x", plan: "enterprise", id: "acc_x" })),
      ...forOperator,
    },
    {
      name: "create an account with its id",
      run: postTo("create-account", () => ({ name: "x", plan: "enterprise", id: a.id })),
      ...forOperator,
    },
  ];

  test.each(attacks)(
    "an attempt to $name gets $status, shows nothing and changes nothing",
    async ({ run, status, error }) => {
      const before = [await stored(a.id), await stored("operator")];
      const ownKeys = ((await stored(b.id)) as { keys: unknown }).keys;
      for (const [name, headers] of credentialsOfB()) {
        const answer = await run(headers);
        expect([name, answer.status, json(answer)]).toEqual([name, status, { error }]);
        expect(answer.headers["Cache-Control"]).toBe("no-store");
        expectNothingOf(a, answer);
      }
      expect([await stored(a.id), await stored("operator")]).toEqual(before);
      expect(((await stored(b.id)) as { keys: unknown }).keys).toEqual(ownKeys);
      expect(await stack.service.access.accounts.find("acc_x")).toBeUndefined();
    },
  );

  test.each([
    ["account_id", "list-keys"],
    ["accountId", "list-keys"],
    ["account", "list-keys"],
    ["account_id", "list-sessions"],
    ["accountId", "get-account"],
    ["account_id", "get-account"],
    ["account_id", "get-usage"],
  ])("another account is never shown when the parameter %s of %s names it", async (name, path) => {
    for (const [, headers] of credentialsOfB()) {
      for (const query of [`${name}=${a.id}`, `${name}=${b.id}&${name}=${a.id}`, `%61ccount_id=${a.id}`]) {
        expectNothingOf(a, await get(`${ACCOUNT}/${path}?${query}`, headers));
      }
    }
  });

  test("a body member outside the contract does not reach another account", async () => {
    const before = await stored(a.id);
    const body = { name: "mine", account_id: a.id, account: a.id, "account.id": a.id };
    const answer = await post(stack.answer, `${ACCOUNT}/create-key`, body, byKey(b.manager));
    expect(json(answer)).toMatchObject({ card: { accountId: b.id } });
    expectNothingOf(a, answer);
    expect(await stored(a.id)).toEqual(before);
  });

  test("an account can read its own keys at the paths that were attacked", async () => {
    for (const [, headers] of credentialsOfB()) {
      const keys = await get(`${ACCOUNT}/list-keys?account_id=${b.id}`, headers);
      expect(String(keys.body)).toContain(b.reader.card.id);
      expect(await whoIs(headers)).toBe(b.id);
    }
  });

  test("batch items have only the access rights of the batch's caller", async () => {
    const paths = [
      `${ACCOUNT}/list-keys?account_id=${a.id}`,
      `${ACCOUNT}/list-accounts`,
      `${ACCOUNT}/list-audit-events`,
      `${ACCOUNT}/revoke-key`,
    ];
    const operations = paths.map((path) => ({ path }));
    const answer = await post(stack.answer, BATCH, { operations }, byKey(b.manager));
    const { results } = json(answer) as { results: { status: number }[] };
    expect(results.map(({ status }) => status)).toEqual([404, 403, 403, 405]);
    expectNothingOf(a, answer);
  });

  test("in a batch call by session, another account's token opens Pro items, but not its account's data", async () => {
    const operations = [{ path: `${ACCOUNT}/get-account` }, { path: PRO_PROBE }];
    const outcomes = async (headers: CallHeaders, token: string) => {
      const answer = await post(probes, BATCH, { operations }, { ...headers, authorization: `Bearer ${token}` });
      expectNothingOf(a, answer);
      const { results } = json(answer) as { results: { status: number; body: unknown }[] };
      expect(results[0]?.body).toMatchObject({ account: { id: b.id } });
      return results.map(({ status }) => status);
    };
    expect(await outcomes({ "x-service-key": b.session }, a.token)).toEqual([200, 200]);
    expect(await outcomes({ "x-service-key": b.session }, "wrong")).toEqual([200, 401]);
    expect(await outcomes(byKey(b.manager), "wrong")).toEqual([200, 200]);
  });
});

describe("another account's object and a missing object", () => {
  const pairs: readonly (readonly [
    name: string,
    ask: (id: string) => Attack["run"],
    mine: () => string,
    none: string,
  ])[] = [
    [
      "revoke-key by key id",
      (keyId) => postTo("revoke-key", () => ({ keyId })),
      () => a.reader.card.id,
      `key_${"0".repeat(24)}`,
    ],
    [
      "revoke-key by account",
      (accountId) => postTo("revoke-key", () => ({ keyId: a.reader.card.id, accountId })),
      () => a.id,
      `acc_${"0".repeat(20)}`,
    ],
    [
      "create-key by account",
      (accountId) => postTo("create-key", () => ({ name: "x", accountId })),
      () => a.id,
      `acc_${"0".repeat(20)}`,
    ],
    ["list-keys", (id) => getFrom(() => `list-keys?account_id=${id}`), () => a.id, `acc_${"0".repeat(20)}`],
    [
      "list-audit-events",
      (id) => getFrom(() => `list-audit-events?account_id=${id}`),
      () => a.id,
      `acc_${"0".repeat(20)}`,
    ],
    [
      "set-plan",
      (accountId) => postTo("set-plan", () => ({ accountId, plan: "free", state: "active" })),
      () => a.id,
      `acc_${"0".repeat(20)}`,
    ],
    [
      "create-account",
      (id) => postTo("create-account", () => ({ name: "x", plan: "free", id })),
      () => a.id,
      `acc_${"0".repeat(20)}`,
    ],
  ];

  test.each(pairs)(
    "another account's object and a missing one get the same answer from %s",
    async (_name, ask, foreignId, missingId) => {
      const problem = { accept: "application/problem+json", "x-request-id": "same" };
      const callers = credentialsOfB().flatMap(([, headers]) => [headers, { ...headers, ...problem }]);
      for (const headers of callers) {
        const [foreign, missing] = [await ask(foreignId())(headers), await ask(missingId)(headers)];
        expect(foreign.status).toBe(missing.status);
        expect(foreign.headers).toEqual(missing.headers);
        expect(Buffer.from(String(foreign.body))).toEqual(Buffer.from(String(missing.body)));
        expect(Object.keys(foreign.limitHeaders)).toEqual(Object.keys(missing.limitHeaders));
      }
    },
  );

  test("a revoked key, an unissued key and a key's id get the same refusal", async () => {
    const revoked = await makeKey(stack, a.id, "to revoke", ["read"]);
    await revoke(stack, revoked);
    const answers = [
      await get(DISASTERS, byKey(revoked)),
      await get(DISASTERS, { "x-service-key": `vgl_demo_${"0".repeat(48)}` }),
      await get(DISASTERS, { "x-service-key": a.reader.card.id }),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, String(body), headers]).toEqual([401, '{"error":"Invalid API key"}', answers[0]?.headers]);
    }
  });
});

describe("a misplaced credential of another account", () => {
  const places: readonly (readonly [name: string, place: (account: TestAccount) => CallHeaders])[] = [
    ["its session as a bearer token", ({ session }) => ({ authorization: `Bearer ${session}` })],
    ["its session as a bare Authorization header", ({ session }) => ({ authorization: session })],
    [
      "its key as basic credentials",
      ({ manager }) => ({ authorization: `Basic ${Buffer.from(`x:${manager.key}`).toString("base64")}` }),
    ],
    ["its access token on a path that accepts none", ({ token }) => ({ authorization: `Bearer ${token}` })],
    [
      "its session in a cookie of another name",
      ({ session }) => ({ cookie: `session=${session}; xvigil_session=${session}` }),
    ],
    ["its account in headers of proxies", ({ id }) => ({ "x-account-id": id, "x-forwarded-user": id, "x-user": id })],
    ["its session in invented headers", ({ session }) => ({ "x-session": session, "x-session-token": session })],
  ];

  test.each(places)(
    "another account's credential has no effect in a place where none is expected: %s",
    async (_name, place) => {
      expect(await whoIs(place(a))).toEqual([401, "API key required"]);
      expect(await whoIs({ ...place(a), ...byKey(b.reader) })).toBe(b.id);
      expect(await whoIs({ "x-service-key": b.session, ...place(a) })).toBe(b.id);
    },
  );

  test.each([
    ["its session cookie", () => byCookie(a.session)],
    ["its access token", () => ({ authorization: `Bearer ${a.token}` })],
    ["its key in the second header", () => ({ "x-api-key": a.manager.key })],
    ["its key as a bearer token", () => ({ authorization: `Bearer ${a.manager.key}` })],
    ["its session in the second header", () => ({ "x-api-key": a.session })],
  ])("a sent key takes precedence over another account's credential: %s", async (_name, beside) => {
    expect(await whoIs({ ...beside(), ...byKey(b.reader) })).toBe(b.id);
    expect(await whoIs({ ...beside(), "x-service-key": "wrong" })).toEqual([401, "Invalid API key"]);
    expect(await whoIs({ ...beside(), "x-service-key": `${b.session}x` })).toEqual([401, "Invalid session token"]);
  });

  test.each([
    ["its key as a session cookie", () => ({ cookie: `vigil_session=${a.manager.key}` }), "Invalid session token"],
    [
      "the id of its key as a cookie",
      () => ({ cookie: `vigil_session=${a.manager.card.id}` }),
      "Invalid session token",
    ],
    ["its access token as a cookie", () => ({ cookie: `vigil_session=${a.token}` }), "Invalid session token"],
    ["its access token as a key", () => ({ "x-service-key": a.token }), "Invalid API key"],
    ["the id of its key", () => ({ "x-service-key": a.manager.card.id }), "Invalid API key"],
    ["the hint of its key", () => ({ "x-service-key": a.manager.card.hint }), "Invalid API key"],
    ["the hash of its key", () => ({ "x-service-key": hashOfKey(a.manager.key) }), "Invalid API key"],
    ["the id of its account", () => ({ "x-service-key": a.id }), "Invalid API key"],
    ["its session without the prefix", () => ({ "x-service-key": a.session.slice(4) }), "Invalid API key"],
    [
      "its session in capitals",
      () => ({ "x-service-key": `vgs_${a.session.slice(4).toUpperCase()}` }),
      "Invalid session token",
    ],
    ["its key in capitals", () => ({ "x-service-key": a.manager.key.toUpperCase() }), "Invalid API key"],
  ])("another account's credential opens nothing: %s", async (_name, headers, error) => {
    expect(await whoIs(headers())).toEqual([401, error]);
  });

  test("a credential in a query parameter opens nothing", async () => {
    for (const name of ["key", "api_key", "x-service-key", "session", "vigil_session", "access_token", "token"]) {
      for (const secret of [a.manager.key, a.session, a.token]) {
        const target = `${ACCOUNT}/get-account?${name}=${secret}`;
        expect(await whoIs({}, target)).toEqual([401, "API key required"]);
        expect(await whoIs(byKey(b.reader), target)).toBe(b.id);
      }
    }
  });

  test("a sent key takes precedence over a bearer token where bearer tokens are accepted", async () => {
    const policyOf = async (headers: CallHeaders) => {
      const { status, limitHeaders } = await get(PRO_PROBE, headers, probes);
      return [status, limitHeaders["RateLimit-Policy"]?.split(";w")[0]];
    };
    const authorization = `Bearer ${a.token}`;
    expect(await policyOf({ authorization })).toEqual([200, '"account";q=60']);
    expect(await policyOf({ authorization, ...byKey(b.reader) })).toEqual([200, '"account";q=300']);
    expect((await policyOf({ authorization, "x-service-key": "wrong" }))[0]).toBe(401);
    expect((await policyOf({ authorization: `Bearer ${a.session}` }))[0]).toBe(401);
    expect(await policyOf({ authorization: `Bearer ${b.reader.key}` })).toEqual([200, '"account";q=300']);
  });

  test("a request from another site cannot write, even with the cookie of a valid session", async () => {
    const before = await stored(a.id);
    const cookie = `vigil_session=${a.session}`;
    for (const headers of [
      { cookie },
      { cookie, "sec-fetch-site": "cross-site" },
      { cookie, origin: "https://evil.example" },
    ]) {
      const answer = await postTo("create-key", () => ({ name: "x" }))(headers);
      expect([answer.status, json(answer)]).toEqual([403, { error: "Origin not allowed" }]);
      expect(answer.headers).not.toHaveProperty("Access-Control-Allow-Origin", "https://evil.example");
    }
    const { keys } = (await stored(a.id)) as { keys: unknown };
    expect(keys).toEqual((before as { keys: unknown }).keys);
  });

  test("a sign-out ends only the caller's own session", async () => {
    const own = await openSession(stack, { key: b.reader.key });
    const out = await postTo("sign-out", () => ({}))({ ...byCookie(own), "x-api-key": own });
    expect(json(out)).toEqual({ signedOut: true });
    expect(await whoIs({ "x-service-key": own })).toEqual([401, "Invalid session token"]);
    const beside = await postTo("sign-out", () => ({}))({ ...byKey(b.reader), ...byCookie(a.session) });
    expect(json(beside)).toEqual({ signedOut: false });
    expect(await whoIs({ "x-service-key": a.session })).toBe(a.id);
  });
});

describe("an Idempotency-Key", () => {
  const operations = [{ path: `${ACCOUNT}/get-account` }];
  const other = [{ path: `${ACCOUNT}/get-account`, id: "other" }];

  const batch = (body: unknown, key: string, headers: CallHeaders) =>
    post(stack.answer, BATCH, { operations: body }, { ...headers, "idempotency-key": key });

  const replayedOf = ({ status, headers }: IdentifiedAnswer) => [status, headers["Idempotent-Replayed"]];

  test.each([
    ["the same body", operations],
    ["another body", other],
  ])("another account's Idempotency-Key with %s starts the caller's own call", async (name, body) => {
    const key = `order-7 ${name}`.replaceAll(" ", "-");
    const firstAnswer = await batch(operations, key, byKey(a.manager));
    expect(String(firstAnswer.body)).toContain(a.id);
    // The session cookie is left out. It has the same session as the second credential, so its call would be a replay.
    for (const [kind, headers] of credentialsOfB().slice(0, 2)) {
      const answer = await batch(body, key, headers);
      expect([kind, ...replayedOf(answer)]).toEqual([kind, 200, "false"]);
      expect(String(answer.body)).toContain(b.id);
      expectNothingOf(a, answer);
      const repeat = await batch(body, key, headers);
      expect([replayedOf(repeat), String(repeat.body)]).toEqual([[200, "true"], String(answer.body)]);
    }
    const replay = await batch(operations, key, byKey(a.manager));
    expect([replayedOf(replay), String(replay.body)]).toEqual([[200, "true"], String(firstAnswer.body)]);
  });

  test("the same Idempotency-Key from another key or session of the account starts another call", async () => {
    await batch(operations, "shared", byKey(a.manager));
    expect(replayedOf(await batch(operations, "shared", byKey(a.reader)))).toEqual([200, "false"]);
    expect(replayedOf(await batch(operations, "shared", { "x-service-key": a.session }))).toEqual([200, "false"]);
  });

  test("a revoked key cannot replay its calls", async () => {
    const ended = await makeKey(stack, a.id, "to revoke", ["read"]);
    await batch(operations, "ended", byKey(ended));
    await revoke(stack, ended);
    expect((await batch(operations, "ended", byKey(ended))).status).toBe(401);
  });

  test("an Idempotency-Key is ignored if the answer shows a secret", async () => {
    const make = () =>
      post(
        stack.answer,
        `${ACCOUNT}/create-key`,
        { name: "twice" },
        { ...byKey(b.manager), "idempotency-key": "once" },
      );
    const [first, second] = [await make(), await make()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((json(first) as { key: string }).key).not.toBe((json(second) as { key: string }).key);
    expect(first.headers).not.toHaveProperty("Idempotent-Replayed");
  });
});

describe("a page cursor", () => {
  const cursorOf = async (path: string, headers: CallHeaders, filter = "") => {
    const answer = await get(`${path}?page_size=2${filter}`, headers, probes);
    return (json(answer) as { pagination: { nextCursor: string } }).pagination.nextCursor;
  };
  const refusedOf = async (target: string, headers: CallHeaders) => {
    const answer = await get(target, headers, probes);
    const { violations } = json(answer) as { violations?: { field: string }[] };
    return [answer.status, violations?.map(({ field }) => field)];
  };

  test("a page cursor is the same for every caller and leads to the same page", async () => {
    const [ownCursor, foreignCursor] = [
      await cursorOf(DISASTERS, byKey(b.reader)),
      await cursorOf(DISASTERS, byKey(a.reader)),
    ];
    const pages = await Promise.all(
      [ownCursor, foreignCursor].map((cursor) => get(`${DISASTERS}?page_size=2&cursor=${cursor}`, byKey(b.reader))),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(String(pages[0]?.body)).toBe(String(pages[1]?.body));
  });

  test("a page cursor is refused with another operation or filter, for any caller", async () => {
    const cursor = await cursorOf(LIST_PROBE, byKey(a.reader), "&kind=ferry");
    for (const account of [a, b]) {
      const own = `${LIST_PROBE}?page_size=2&kind=ferry&cursor=${cursor}`;
      expect(json(await get(own, byKey(account.reader), probes))).toMatchObject({ rows: ["ferry 3"] });
      for (const target of [`${LIST_PROBE}?cursor=${cursor}`, `${LIST_PROBE}?kind=rail&cursor=${cursor}`]) {
        expect(await refusedOf(target, byKey(account.reader))).toEqual([400, ["cursor"]]);
      }
      for (const path of [DISASTERS, ANOMALIES]) {
        expect(await refusedOf(`${path}?cursor=${cursor}`, byKey(account.reader))).toEqual([400, ["cursor"]]);
      }
    }
  });

  test("a page cursor is not a credential", async () => {
    const cursor = await cursorOf(DISASTERS, byKey(a.reader));
    expect(await whoIs({ "x-service-key": cursor })).toEqual([401, "Invalid API key"]);
    expect(await whoIs({ cookie: `vigil_session=${cursor}` })).toEqual([401, "Invalid session token"]);
  });

  test("a page cursor is refused without a credential", async () => {
    const cursor = await cursorOf(DISASTERS, byKey(a.reader));
    expect((await get(`${DISASTERS}?cursor=${cursor}`, {})).status).toBe(401);
  });
});

describe("the scopes of a key", () => {
  const lacks = (scope: string) => [403, { error: `This key lacks the scope ${scope}` }];
  const outcome = ({ status, body }: IdentifiedAnswer) => [status, JSON.parse(String(body))];

  test.each([
    ["create-key", () => ({ name: "more" })],
    ["revoke-key", () => ({ keyId: b.manager.card.id })],
  ])("%s is refused to a key without the scope account:write and to the key's sessions", async (path, body) => {
    const before = ((await stored(b.id)) as { keys: unknown }).keys;
    const session = await openSession(stack, { key: b.reader.key });
    for (const headers of [byKey(b.reader), { "x-service-key": session }, byCookie(session)]) {
      expect(outcome(await postTo(path, body)(headers))).toEqual(lacks("account:write"));
    }
    expect(((await stored(b.id)) as { keys: unknown }).keys).toEqual(before);
  });

  test.each([["company_monitoring:read"], ["company_monitoring:write"]])(
    "a key without the scope %s cannot create a key with that scope",
    async (scope) => {
      const before = ((await stored(b.id)) as { keys: unknown }).keys;
      for (const [, headers] of credentialsOfB()) {
        const asking = postTo("create-key", () => ({ name: "more", scopes: ["read", scope] }));
        expect(outcome(await asking(headers))).toEqual(lacks(scope));
      }
      expect(((await stored(b.id)) as { keys: unknown }).keys).toEqual(before);
    },
  );

  test("a key without the scope `read` cannot create a key with that scope", async () => {
    const writer = await makeKey(stack, b.id, "writer", ["account:write"]);
    const asking = postTo("create-key", () => ({ name: "more" }));
    expect(outcome(await asking(byKey(writer)))).toEqual(lacks("read"));
    expect((await get(`${ACCOUNT}/list-keys`, byKey(writer))).status).toBe(403);
  });

  test.each(["*", "read account:write", "READ", "operator", ""])(
    "a key cannot be created with the scope %j",
    async (scope) => {
      const answer = await postTo("create-key", () => ({ name: "x", scopes: [scope] }))(byKey(b.manager));
      expect(answer.status).toBe(400);
    },
  );

  test("a token has only the scopes of its key, whatever scope the token request asks for", async () => {
    const answer = await askToken(stack, { client_secret: b.reader.key, scope: "read account:write", account: a.id });
    const { scope, access_token: token } = json(answer) as { scope: string; access_token: string };
    expect(scope).toBe("read");
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect([claims.sub, claims.scope]).toEqual([b.id, "read"]);
    expect((await postTo("create-key", () => ({ name: "x" }))({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  test("a limited operator-issued key has no operator rights", async () => {
    const headers = { "x-service-key": LIMITED_OPERATOR };
    for (const path of ["list-accounts", "list-audit-events"]) {
      expect((await get(`${ACCOUNT}/${path}`, headers)).status).toBe(403);
    }
    expect((await postTo("set-plan", () => ({ accountId: a.id, plan: "free", state: "active" }))(headers)).status).toBe(
      403,
    );
    expect(outcome(await postTo("create-key", () => ({ name: "x" }))(headers))).toEqual(lacks("account:write"));
  });

  test("a read-only key of the operator's account has no operator rights", async () => {
    const reader = await makeKey(stack, "operator", "dashboard", ["read"]);
    const session = await openSession(stack, { key: reader.key });
    const before = await stored(a.id);
    for (const headers of [byKey(reader), { "x-service-key": session }]) {
      for (const path of ["list-accounts", "list-audit-events"]) {
        expect((await get(`${ACCOUNT}/${path}`, headers)).status).toBe(403);
      }
      for (const [path, body] of [
        ["set-plan", { accountId: a.id, plan: "free", state: "lapsed" }],
        ["create-account", { name: "x", plan: "free" }],
      ] as const) {
        expect((await postTo(path, () => body)(headers)).status).toBe(403);
      }
      expect(outcome(await postTo("create-key", () => ({ name: "x" }))(headers))).toEqual(lacks("account:write"));
      const asking = postTo("revoke-key", () => ({ keyId: a.reader.card.id, accountId: a.id }));
      expect(outcome(await asking(headers))).toEqual(lacks("account:write"));
      expect((await get(`${ACCOUNT}/list-keys?account_id=${a.id}`, headers)).status).toBe(404);
    }
    expect(await stored(a.id)).toEqual(before);
  });
});

describe("credentials derived from a key", () => {
  test("sessions and tokens end when their key is revoked, and no new ones can be made", async () => {
    const key = await makeKey(stack, a.id, "to revoke", ["read"]);
    const session = await openSession(stack, { key: key.key });
    const token = await issueToken(stack, key.key);
    const outcomes = () =>
      Promise.all([
        whoIs(byKey(key)),
        whoIs({ "x-service-key": session }),
        whoIs({ cookie: `vigil_session=${session}` }),
        get(PRO_PROBE, { authorization: `Bearer ${token}` }, probes).then(({ status }) => status),
      ]);
    // All credentials are used before the revocation, so that the service has cached them.
    expect(await outcomes()).toEqual([a.id, a.id, a.id, 200]);
    await revoke(stack, key);
    const ended = [401, "Invalid session token"];
    expect(await outcomes()).toEqual([[401, "Invalid API key"], ended, ended, 401]);
    const signIn = await post(stack.answer, `${ACCOUNT}/sign-in`, { key: key.key }, {}, freshAddress());
    expect([signIn.status, json(signIn)]).toEqual([401, { error: "Invalid API key" }]);
    const issued = await askToken(stack, { client_secret: key.key });
    expect([issued.status, json(issued)]).toEqual([401, { error: "invalid_client" }]);
    expect(await whoIs({ "x-service-key": a.session })).toBe(a.id);
  });

  test("sessions and tokens end when their key expires", async () => {
    const timed = await startStack();
    try {
      const { id } = await emptyAccount(timed, "Timed", "starter");
      const key = await makeKey(timed, id, "timed", ["read"], timed.clock.now() + 60 * SECOND_MS);
      const session = await openSession(timed, { key: key.key });
      const token = await issueToken(timed, key.key);
      const timedProbes = withProbes(timed);
      const statuses = async () => {
        const sent: CallHeaders[] = [byKey(key), { "x-service-key": session }, { authorization: `Bearer ${token}` }];
        return (await Promise.all(sent.map((headers) => call(timedProbes, "GET", PRO_PROBE, headers)))).map(
          ({ status }) => status,
        );
      };
      timed.clock.advance(60 * SECOND_MS - 1);
      expect(await statuses()).toEqual([200, 200, 200]);
      timed.clock.advance(1);
      expect(await statuses()).toEqual([401, 401, 401]);
    } finally {
      await timed.close();
    }
  });
});

describe("a one-time link", () => {
  const signIn = (on: Stack, link: string) => post(on.answer, `${ACCOUNT}/sign-in`, { link }, {}, freshAddress());
  const refused = [401, '{"error":"Invalid API key"}', undefined];
  const outcome = ({ status, body, headers }: IdentifiedAnswer) => [status, String(body), headers["Set-Cookie"]];

  test("a one-time link opens one session of its account", async () => {
    const link = await stack.service.access.credentials.makeLink(a.reader.card.id);
    expect(await whoIs({ "x-service-key": await openSession(stack, { link }) })).toBe(a.id);
    expect(outcome(await signIn(stack, link))).toEqual(refused);
  });

  test("a one-time link opens only one session if it is used many times at the same moment", async () => {
    const link = await stack.service.access.credentials.makeLink(a.reader.card.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(stack, link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("a one-time link is valid for an hour and then refused like an unknown link", async () => {
    const timed = await startStack();
    try {
      const links = [await timed.service.access.signInLink(), await timed.service.access.signInLink()];
      timed.clock.advance(HOUR_MS - 1);
      expect((await signIn(timed, links[0] ?? "")).status).toBe(200);
      timed.clock.advance(1);
      expect(outcome(await signIn(timed, links[1] ?? ""))).toEqual(refused);
      expect(outcome(await signIn(timed, "x".repeat(43)))).toEqual(refused);
    } finally {
      await timed.close();
    }
  });

  test("a one-time link of a revoked key opens nothing, and no link is accepted as a key or a session", async () => {
    const key = await makeKey(stack, a.id, "to revoke", ["read"]);
    const { makeLink } = stack.service.access.credentials;
    const [ended, unused] = [await makeLink(key.card.id), await makeLink(a.reader.card.id)];
    await revoke(stack, key);
    // Earlier tests sent refused credentials from the same address. After a minute, they no longer count against it.
    stack.clock.advance(MINUTE_MS);
    expect(outcome(await signIn(stack, ended))).toEqual(refused);
    for (const headers of [
      { "x-service-key": unused },
      { cookie: `vigil_session=${unused}` },
      { "x-service-key": `vgs_${unused}` },
    ]) {
      expect(await whoIs(headers)).toEqual([401, expect.stringMatching(/^Invalid /)]);
    }
    expect((await post(stack.answer, `${ACCOUNT}/sign-in`, { key: unused }, {}, freshAddress())).status).toBe(401);
    expect((await post(stack.answer, `${ACCOUNT}/sign-in`, { key: a.session }, {}, freshAddress())).status).toBe(401);
  });
});

test("an account's own answers contain the identifiers that the tests above search for", async () => {
  const keys = await get(`${ACCOUNT}/list-keys`, byKey(a.reader));
  const account = await get(`${ACCOUNT}/get-account`, byKey(a.reader));
  for (const trace of [a.manager.card.id, a.reader.card.name, a.reader.card.hint])
    expect(String(keys.body)).toContain(trace);
  for (const trace of [a.id, a.name, a.plan]) expect(String(account.body)).toContain(trace);
  expect(() => expectNothingOf(a, keys)).toThrow();
});

test("the operator can access every account at these paths, so the refusals above are for lack of rights", async () => {
  const keys = await get(`${ACCOUNT}/list-keys?account_id=${a.id}`, byOwner(stack));
  expect(String(keys.body)).toContain(a.reader.card.id);
  expect((await get(`${ACCOUNT}/list-audit-events?account_id=${a.id}`, byOwner(stack))).status).toBe(200);
  const key = await makeKey(stack, a.id, "made by the operator", ["read"]);
  expect((await revoke(stack, key)).status).toBe(200);
});
