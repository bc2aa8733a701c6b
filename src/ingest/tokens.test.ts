import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { header, oauth, query } from "../contract/auth.js";
import { SourceFailure, source, step } from "../contract/source.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import type { UpstreamAnswer, UpstreamClient } from "../upstream/answer.js";
import { firstRequests } from "./requests.js";
import { createTokens, TokenFailure } from "./tokens.js";

const credentials = { USER: "me@example.org", PASSWORD: "s3cret" };

const guarded = source({
  id: "guarded",
  title: "Guarded",
  home: "https://x.test/",
  licence: { name: "none", open: true },
  seen: "described",
  auth: oauth({
    url: "https://x.test/token",
    form: { grant_type: "password" },
    secretForm: {
      username: { variable: "USER", description: "a name" },
      password: { variable: "PASSWORD", description: "its password" },
    },
  }),
  steps: {
    rows: step({
      request: () => ({ key: "a", url: "https://x.test/a" }),
      format: { kind: "json" },
      row: Type.Object({}),
      rows: () => [],
      record: (row) => row,
    }),
  },
  observedAt: () => undefined,
});
const [request] = firstRequests(guarded, {});
if (!request) throw new Error("no request");

const emptyAnswer: UpstreamAnswer = {
  url: "",
  via: undefined,
  status: 200,
  notModified: false,
  contentType: undefined,
  etag: undefined,
  lastModified: undefined,
  sha256: "",
  fetchedAt: 0,
  durationMs: 0,
  simulated: false,
  bytes: Buffer.alloc(0),
};

/** An upstream that grants the tokens t1, t2, … and accepts only those for which `accepts` is true. */
function upstream(
  options: { readonly life?: number; readonly accepts?: (token: string) => boolean; body?: object } = {},
) {
  const clock = manualClock(Date.UTC(2026, 10, 18));
  const { life = HOUR_MS, accepts = () => true } = options;
  const requests: string[] = [];
  let granted = 0;
  const state: { refusal?: number } = {};
  const answer = (body: object) => ({ ...emptyAnswer, bytes: Buffer.from(JSON.stringify(body)) });
  const client: UpstreamClient = {
    async fetch({ key, secretHeaders, secretForm }) {
      if (key === "token") {
        requests.push(`token for ${secretForm?.["username"]}`);
        if (state.refusal) throw new SourceFailure("unavailable", "refused", { status: state.refusal });
        granted += 1;
        return answer(options.body ?? { access_token: `t${granted}`, expires_in: life / SECOND_MS });
      }
      const authorization = secretHeaders?.["Authorization"] ?? "";
      requests.push(authorization);
      if (!accepts(authorization.slice(7))) throw new SourceFailure("unavailable", "answered 401", { status: 401 });
      return answer({});
    },
    close: async () => undefined,
  };
  const tokens = createTokens(clock);
  return { requests, clock, state, ask: () => tokens.fetch(client, guarded, credentials, request ?? fail(), {}) };
}

function fail(): never {
  throw new Error("no request");
}

const GRANT = "token for me@example.org";

test("concurrent requests share one token, and later ones reuse it", async () => {
  const { requests, ask } = upstream();
  await Promise.all([ask(), ask(), ask()]);
  await ask();
  expect(requests).toEqual([GRANT, "Bearer t1", "Bearer t1", "Bearer t1", "Bearer t1"]);
});

test.each([
  ["five minutes before its end if it is valid for an hour", HOUR_MS, 55 * MINUTE_MS],
  ["after nine minutes if it is valid for ten minutes", 10 * MINUTE_MS, 9 * MINUTE_MS],
])("the token is renewed %s", async (_name, life, renewedAfter) => {
  const { requests, ask, clock } = upstream({ life });
  await ask();
  clock.advance(renewedAfter - 1);
  await ask();
  clock.advance(1);
  await Promise.all([ask(), ask()]);
  expect(requests).toEqual([GRANT, "Bearer t1", "Bearer t1", GRANT, "Bearer t2", "Bearer t2"]);
});

describe("requests that share a grant", () => {
  /** An upstream whose grants wait for `grant`, and end with an error when they are aborted. */
  function slow() {
    const grants: { readonly grant: () => void; readonly signal: AbortSignal | undefined }[] = [];
    const bytes = Buffer.from(JSON.stringify({ access_token: "t1", expires_in: HOUR_MS / SECOND_MS }));
    const client: UpstreamClient = {
      fetch: ({ key, url }, { signal } = {}) =>
        new Promise((resolve, reject) => {
          const grant = () => resolve({ ...emptyAnswer, url, bytes });
          if (key !== "token") return grant();
          grants.push({ grant, signal });
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
      close: async () => undefined,
    };
    const tokens = createTokens(manualClock(0));
    const ask = (signal?: AbortSignal) =>
      tokens.fetch(client, guarded, credentials, request ?? fail(), { ...(signal && { signal }) });
    return { ask, grants };
  }
  const timeout = new SourceFailure("unavailable", "no answer within 10 s");

  test("a request outlives the limit of the request that asked for the token first", async () => {
    const { ask, grants } = slow();
    const first = new AbortController();
    const [short, long] = [ask(first.signal), ask()];
    first.abort(timeout);
    await expect(short).rejects.toThrow("no answer within 10 s");
    grants[0]?.grant();
    await expect(long).resolves.toMatchObject({ status: 200 });
    expect(grants).toHaveLength(1);
  });

  test("a request ends with its own limit, although another request still waits for the token", async () => {
    const { ask, grants } = slow();
    const second = new AbortController();
    const [long, short] = [ask(), ask(second.signal)];
    second.abort(timeout);
    await expect(short).rejects.toBeInstanceOf(TokenFailure);
    grants[0]?.grant();
    await expect(long).resolves.toMatchObject({ status: 200 });
  });

  test("a grant for which no request waits any longer is abandoned, and the next request asks for another", async () => {
    const { ask, grants } = slow();
    const limits = [new AbortController(), new AbortController()];
    const waiting = limits.map(({ signal }) => ask(signal));
    for (const limit of limits) limit.abort(timeout);
    await Promise.allSettled(waiting);
    expect(grants[0]?.signal?.aborted).toBe(true);
    const next = ask();
    grants[1]?.grant();
    await expect(next).resolves.toMatchObject({ status: 200 });
  });
});

test("a refused token is dropped, and the request is sent once more", async () => {
  const { requests, ask } = upstream({ accepts: (token) => token !== "t1" });
  await Promise.all([ask(), ask()]);
  expect(requests).toEqual([GRANT, "Bearer t1", "Bearer t1", GRANT, "Bearer t2", "Bearer t2"]);
});

test("a second refusal is not retried", async () => {
  const { requests, ask } = upstream({ accepts: () => false });
  await expect(ask()).rejects.toMatchObject({ kind: "unavailable", status: 401 });
  expect(requests).toEqual([GRANT, "Bearer t1", GRANT, "Bearer t2"]);
});

test.each([400, 401, 403])(
  "if credentials are refused with %i, the error names their settings, and no new attempt is made for a minute",
  async (status) => {
    const { requests, ask, state, clock } = upstream();
    state.refusal = status;
    await expect(ask()).rejects.toThrow(`refused (${status}); check USER and PASSWORD`);
    expect(requests).toEqual([GRANT]);
    delete state.refusal;
    clock.advance(MINUTE_MS - 1);
    await expect(ask()).rejects.toThrow("check USER and PASSWORD");
    expect(requests).toEqual([GRANT]);
    clock.advance(1);
    await ask();
    expect(requests).toEqual([GRANT, GRANT, "Bearer t1"]);
  },
);

test("credentials that were refused while the clock was ahead are tried again once it is set back", async () => {
  const { requests, ask, state, clock } = upstream();
  state.refusal = 401;
  await expect(ask()).rejects.toThrow("check USER and PASSWORD");
  delete state.refusal;
  clock.set(clock.now() - HOUR_MS);
  await ask();
  expect(requests).toEqual([GRANT, GRANT, "Bearer t1"]);
});

test("if the request for a token fails or its answer is invalid, that failure is reported unchanged", async () => {
  const down = upstream();
  down.state.refusal = 503;
  await expect(down.ask()).rejects.toMatchObject({ message: "refused", status: 503 });
  for (const body of [{}, { access_token: "", expires_in: 1 }, { access_token: "t", expires_in: 0 }]) {
    await expect(upstream({ body }).ask()).rejects.toMatchObject({ kind: "changed" });
  }
});

test.each([
  ["a header", header("X-Key", { variable: "KEY", description: "a key" }), { secretHeaders: { "X-Key": "k" } }],
  [
    "a header, after the scheme",
    header("Authorization", { variable: "KEY", description: "a key" }, "Bearer"),
    { secretHeaders: { Authorization: "Bearer k" } },
  ],
  ["the query", query("key", { variable: "KEY", description: "a key" }), { secretQuery: { key: "k" } }],
])("a key is sent in %s, and the request is sent unchanged if no key is set", async (_name, auth, proof) => {
  const sent: object[] = [];
  const client: UpstreamClient = {
    async fetch(outgoing) {
      sent.push(outgoing);
      throw new SourceFailure("unavailable", "answered 500");
    },
    close: async () => undefined,
  };
  const keyed = { ...guarded, auth };
  for (const values of [{ KEY: "k" }, {}]) {
    const answer = createTokens(manualClock(0)).fetch(client, keyed, values, request ?? fail(), {});
    await expect(answer).rejects.toThrow("answered 500");
  }
  expect(sent).toEqual([{ ...request, ...proof }, request]);
});
