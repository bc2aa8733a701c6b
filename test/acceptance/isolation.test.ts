import { afterAll, beforeAll, expect, test } from "vitest";
import { hashOfSession, sessionIdOf } from "../../src/access/session-token.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { seededRandom } from "../../src/kit/random.js";
import {
  ACCOUNT,
  byCookie,
  byKey,
  type CallHeaders,
  makeAccount,
  post,
  type TestAccount,
} from "../support/accounts.js";
import { call, type Stack, startStack } from "../support/stack.js";

const ROUNDS = 600;
const WARM_UP_ROUNDS = 100;
const RATIO_MAX = 1.5;
/** Time by which the stack's clock advances between two calls, so that no limit of 600 calls a minute is hit. */
const PAUSE_MS = 200;

let stack: Stack;
/** The account whose objects the calls name. */
let a: TestAccount;
/** The account that makes the calls. */
let b: TestAccount;
beforeAll(async () => {
  stack = await startStack();
  a = await makeAccount(stack, "Alderney Ferries", "starter");
  b = await makeAccount(stack, "Burgundy Rail", "business");
});
afterAll(() => stack.close());

type Ask = (id: string, headers: CallHeaders) => Promise<IdentifiedAnswer>;

const posted =
  (path: string, body: (id: string) => unknown): Ask =>
  (id, headers) =>
    post(stack.answer, `${ACCOUNT}/${path}`, body(id), headers);
const listed: Ask = (id, headers) => call(stack.answer, "GET", `${ACCOUNT}/list-keys?account_id=${id}`, headers);

const keyId = (account: TestAccount): string => account.reader.card.id;
const accountId = ({ id }: TestAccount): string => id;

const questions = [
  {
    name: "revoke-key by key id",
    ask: posted("revoke-key", (id) => ({ keyId: id })),
    mine: keyId,
    none: `key_${"0".repeat(24)}`,
  },
  {
    name: "revoke-key by account",
    ask: posted("revoke-key", (id) => ({ keyId: keyId(a), accountId: id })),
    mine: accountId,
    none: `acc_${"0".repeat(20)}`,
  },
  {
    name: "create-key by account",
    ask: posted("create-key", (id) => ({ name: "x", accountId: id })),
    mine: accountId,
    none: `acc_${"0".repeat(20)}`,
  },
  {
    name: "end-session by session id",
    ask: posted("end-session", (id) => ({ sessionId: id })),
    mine: ({ session }: TestAccount): string => sessionIdOf(hashOfSession(session)),
    none: `ses_${"0".repeat(24)}`,
  },
  { name: "list-keys", ask: listed, mine: accountId, none: `acc_${"0".repeat(20)}` },
];

const callers: readonly (readonly [name: string, headers: () => CallHeaders])[] = [
  ["key", () => byKey(b.manager)],
  ["session", () => byCookie(b.session)],
];

const cases = questions.flatMap((question) =>
  callers.map(([caller, headers]) => ({ ...question, name: `${question.name}, by ${caller}`, headers })),
);

test.each(cases)(
  "$name: a call takes about as long for another account's object as for a missing one",
  async ({ name, ask, mine, none, headers }) => {
    const [foreignTimes, missingTimes]: [number[], number[]] = [[], []];
    const random = seededRandom(3);
    for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round += 1) {
      // The order is random, so that both calls benefit equally often from caches that the other call has warmed.
      const both = [
        () => timed(ask, mine(a), headers(), foreignTimes),
        () => timed(ask, none, headers(), missingTimes),
      ];
      if (random() < 0.5) both.reverse();
      for (const call of both) await call();
      if (round === WARM_UP_ROUNDS - 1) foreignTimes.length = missingTimes.length = 0;
    }
    const [foreignMs, missingMs] = [median(foreignTimes), median(missingTimes)];
    console.log(
      `${name}: p50 of another account's object ${foreignMs.toFixed(4)} ms, missing ${missingMs.toFixed(4)} ms, ${ROUNDS} calls each`,
    );
    expect(foreignTimes).toHaveLength(ROUNDS);
    expect(Math.max(foreignMs, missingMs) / Math.min(foreignMs, missingMs)).toBeLessThanOrEqual(RATIO_MAX);
  },
);

/** Calls once and records the duration. */
async function timed(ask: Ask, id: string, headers: CallHeaders, into: number[]): Promise<void> {
  stack.clock.advance(PAUSE_MS);
  const startedAt = performance.now();
  const { status } = await ask(id, headers);
  into.push(performance.now() - startedAt);
  expect(status).toBe(404);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
