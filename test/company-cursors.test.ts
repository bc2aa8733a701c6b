import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { DAY_MS, MINUTE_MS } from "../src/kit/clock.js";
import { type Headers, keyOn } from "./support/callers.js";
import { nodeCount } from "./support/shape.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const FOLDER = "/api/company-monitoring/v1";
const LIST = `${FOLDER}/list-monitored-companies`;
const IMPACTS = `${FOLDER}/list-company-event-impacts`;
const CHANGES = `${FOLDER}/list-company-event-changes`;
const COUNTER = "vigil_company_cursor_refusals_total";
const SCOPES = ["company_monitoring:read", "company_monitoring:write"] as const;

interface ListAnswer {
  readonly nextCursor: string;
  readonly snapshot: { readonly pollCursor: string };
}

let stack: Stack;
let owner: Headers;
let other: Headers;

/** Creates an account with a key that may read and write companies. Returns the headers with the key. */
async function newCaller(): Promise<Headers> {
  return { "x-service-key": await keyOn(stack, "business", SCOPES) };
}

async function addCompany(name: string): Promise<void> {
  const body = JSON.stringify({ company: { name, domicileCountry: "DOMICILE_COUNTRY_GB" } });
  const headers = { ...owner, "content-type": "application/json" };
  const answer = await call(stack.answer, "POST", `${FOLDER}/create-monitored-company`, headers, { body });
  expect(answer.status, String(answer.body)).toBe(200);
}

const get = (path: string, query: Readonly<Record<string, string>>, headers = owner): Promise<IdentifiedAnswer> =>
  stack.get(`${path}?${new URLSearchParams(query)}`, headers);

/** Requests a list cursor and a poll cursor, so that both are signed now. */
async function newCursors(): Promise<{ readonly page: string; readonly poll: string }> {
  const { nextCursor, snapshot } = json(await get(LIST, { page_size: "1", lifecycle: "active" })) as ListAnswer;
  expect(nextCursor).not.toBe("");
  return { page: nextCursor, poll: snapshot.pollCursor };
}

async function refusalsCounted(): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  // Calls go to the nodes in turn, and each node counts only its own calls.
  for (let node = 0; node < nodeCount; node += 1) {
    const metrics = String((await call(stack.answer, "GET", "/metrics")).body);
    for (const [, reason = "", count] of metrics.matchAll(
      new RegExp(`^${COUNTER}\\{reason="([^"]+)"\\} (\\d+)$`, "gm"),
    )) {
      counts[reason] = (counts[reason] ?? 0) + Number(count);
    }
  }
  return counts;
}

beforeAll(async () => {
  const limits = ["business-minute", "business-day", "company-create"].map((name) => `${name}=100000000`);
  stack = await startStack({ datasets: [], env: { VIGIL_LIMITS: limits.join() } });
  owner = await newCaller();
  other = await newCaller();
  for (const name of ["Acme", "Bolt", "Core"]) await addCompany(name);
});
afterAll(() => stack.close());

test("a list cursor continues its list, and a poll cursor continues the poll for changes", async () => {
  const { page, poll } = await newCursors();
  expect((await get(LIST, { lifecycle: "active", cursor: page })).status).toBe(200);
  expect((await get(LIST, { lifecycle: "MONITORED_COMPANY_LIFECYCLE_ACTIVE", cursor: page })).status).toBe(200);
  expect((await get(CHANGES, { cursor: poll })).status).toBe(200);
});

test("a poll without a cursor is refused with the violation that the cursor is required", async () => {
  const answer = await get(CHANGES, {});
  expect(answer.status).toBe(400);
  expect(json(answer)).toEqual({ violations: [{ field: "cursor", description: "is required" }] });
});

describe("a forged or misused cursor", () => {
  test("gets the same 400 for every reason, and each reason is counted", async () => {
    const { page, poll } = await newCursors();
    const active = { lifecycle: "active" };
    const changed = (text: string): string => text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");
    const before = await refusalsCounted();
    const answers = [
      await get(LIST, { ...active, cursor: "cursor" }),
      await get(LIST, { ...active, cursor: `cmc1.${"A".repeat(5_000)}.${"A".repeat(43)}` }),
      await get(CHANGES, { cursor: "cmc1" }),
      await get(LIST, { ...active, cursor: changed(page) }),
      await get(CHANGES, { cursor: changed(poll) }),
      await get(LIST, { ...active, cursor: page }, other),
      await get(CHANGES, { cursor: poll }, other),
      await get(LIST, { cursor: page }),
      await get(LIST, { ...active, coverage: "stale", cursor: page }),
      await get(IMPACTS, { cursor: page }),
      await get(CHANGES, { cursor: page }),
      await get(LIST, { ...active, cursor: poll }),
    ];
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(400);
    expect(json(answers[0] as IdentifiedAnswer)).toMatchObject({ violations: [{ field: "cursor" }] });
    const after = await refusalsCounted();
    const counted = Object.entries(after).map(([reason, count]) => [reason, count - (before[reason] ?? 0)] as const);
    expect(Object.fromEntries(counted.filter(([, count]) => count > 0))).toEqual({
      malformed: 3,
      signature: 2,
      account: 2,
      filters: 2,
      surface: 3,
    });
  });

  test("with one changed byte is refused", async () => {
    const { poll } = await newCursors();
    const bodies = new Set<string>();
    for (let at = 0; at < poll.length; at += 1) {
      for (const byte of ["A", "_", ".", "=", "%", "é"]) {
        if (poll[at] === byte) continue;
        const { status, body } = await get(CHANGES, { cursor: poll.slice(0, at) + byte + poll.slice(at + 1) });
        bodies.add(`${status} ${body}`);
      }
    }
    expect(bodies.size).toBe(1);
    expect([...bodies][0]).toMatch(/^400 /);
  });

  test("with the character U+0000 is refused before it is read", async () => {
    const { poll } = await newCursors();
    const { status, body } = await get(CHANGES, { cursor: `${poll.slice(0, 9)}\0${poll.slice(10)}` });
    expect(status).toBe(400);
    expect(body).toContain("U+0000");
  });

  test("with one changed claim is refused", async () => {
    const { page } = await newCursors();
    const [prefix, payload = "", signature] = page.split(".");
    const claims: Readonly<Record<string, unknown>> = JSON.parse(Buffer.from(payload, "base64url").toString());
    for (const name of Object.keys(claims)) {
      for (const value of [0, 1, -1, "", "x", null, true, [], {}, 1e308]) {
        if (claims[name] === value) continue;
        const forged = Buffer.from(JSON.stringify({ ...claims, [name]: value })).toString("base64url");
        const { status } = await get(LIST, { lifecycle: "active", cursor: [prefix, forged, signature].join(".") });
        expect(status, `${name} ${value}`).toBe(400);
      }
    }
  });

  test("with a payload that is not a JSON object is refused", async () => {
    const [, , signature] = (await newCursors()).poll.split(".");
    const payloads = ["null", "[]", "7", '"text"', "{", '{"k":{"toString":1}}', '{"__proto__":{"k":"x"}}', "\xff\xfe"];
    for (const text of payloads) {
      const payload = Buffer.from(text.padEnd(12, " "), "latin1").toString("base64url");
      expect((await get(CHANGES, { cursor: `cmc1.${payload}.${signature}` })).status, text).toBe(400);
    }
  });
});

describe("over time, a cursor", () => {
  test("is valid from 60 s before its issue until 60 s after its expiry", async () => {
    const { page, poll } = await newCursors();
    const statuses = async () => [
      (await get(LIST, { lifecycle: "active", cursor: page })).status,
      (await get(CHANGES, { cursor: poll })).status,
    ];
    const issuedAt = stack.clock.now();
    const at = async (ms: number): Promise<readonly number[]> => {
      stack.clock.set(issuedAt + ms);
      return statuses();
    };
    expect(await at(-MINUTE_MS)).toEqual([200, 200]);
    expect(await at(-MINUTE_MS - 1)).toEqual([400, 400]);
    expect(await at(DAY_MS + MINUTE_MS)).toEqual([200, 200]);
    expect(await at(DAY_MS + MINUTE_MS + 1)).toEqual([400, 400]);
    const counted = await refusalsCounted();
    expect([counted["early"], counted["expired"]]).toEqual([2, 2]);
  });

  test("signed with a retired key is refused like any invalid cursor", async () => {
    const { poll } = await newCursors();
    // A signing key is replaced after 7 days, at the next use of a cursor. The loop uses cursors every day, so the key
    // is replaced twice within the 16 days.
    for (let days = 0; days < 16; days += 1) {
      stack.clock.advance(DAY_MS);
      await newCursors();
    }
    const before = (await refusalsCounted())["unknown-key"] ?? 0;
    const retired = await get(CHANGES, { cursor: poll });
    const malformed = await get(CHANGES, { cursor: "cursor" });
    expect([retired.status, String(retired.body)]).toEqual([400, String(malformed.body)]);
    expect((await refusalsCounted())["unknown-key"]).toBe(before + 1);
  });
});
