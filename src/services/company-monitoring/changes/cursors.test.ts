import { expect, test } from "vitest";
import { Failure } from "../../../contract/failures.js";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import { type TokenSigner, tokenSigner } from "../../../kit/signed-token.js";
import { type CursorClaims, type CursorState, payloadOf } from "./cursor-claims.js";
import type { CursorRefusal } from "./cursor-refusal.js";
import { CURSOR_PATTERN, type CursorUse, companyCursors } from "./cursors.js";
import { filterHash } from "./filter-hash.js";

const START = Date.UTC(2026, 10, 22, 12);
const ACCOUNT = "acc_one";
const use: CursorUse = {
  surface: "list-monitored-companies",
  filterHash: filterHash({ lifecycle: ["active"] }),
};
const state: CursorState = {
  snapshotGeneration: 7,
  snapshotAsOf: START,
  watermark: 4_000_000_000,
  after: "cm_company_01JD0000000000000000000000",
};

const signers = new Map<string, TokenSigner>(
  ["old", "new"].map((id) => [id, tokenSigner(Buffer.from(id.padEnd(32, "k")))]),
);

interface DeskOptions {
  readonly accountId?: string;
  readonly now?: number;
  readonly signing?: string;
  readonly retired?: string;
}

/** Signs and opens cursors with the keys `old` and `new`. `refused` lists the reason for each refusal so far. */
function desk(options: DeskOptions = {}) {
  const refused: CursorRefusal[] = [];
  const keyOf = (id: string) => {
    const signer = id === options.retired ? undefined : signers.get(id);
    return signer && { id, ...signer };
  };
  const ring = {
    find: keyOf,
    signing() {
      const key = keyOf(options.signing ?? "new");
      if (!key) throw new Error("no such key");
      return key;
    },
  };
  return {
    refused,
    ...companyCursors({
      accountId: options.accountId ?? ACCOUNT,
      ring: async () => ring,
      now: () => options.now ?? START,
      onRefused: (reason) => refused.push(reason),
    }),
  };
}

/** Opens a cursor. Returns the answer to the caller and, if the cursor is refused, the reason that was counted. */
async function refusal(cursor: string, changes: Partial<CursorUse> = {}, options: DeskOptions = {}) {
  const { open, refused } = desk(options);
  try {
    await open(cursor, { ...use, ...changes });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(refused).toHaveLength(1);
    return { reason: refused[0], status: error.status, body: error.body };
  }
  return { reason: undefined, status: 200, body: {} };
}

const cursor = await desk().sign(use, state);

const signedClaims: CursorClaims = {
  ...state,
  accountHash: payloadIn(cursor)["o"] as string,
  surface: use.surface,
  mode: "snapshot",
  filterHash: use.filterHash,
  issuedAt: START,
  expiresAt: START + DAY_MS,
};

function payloadIn(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString());
}

function signedBy(keyId: string, payload: string, prefix = "cmc1"): string {
  const signer = signers.get(keyId);
  if (!signer) throw new Error(`no key ${keyId}`);
  return signer.sign(prefix, payload);
}

/** Creates a correctly signed cursor with other claims. */
function resigned(changes: Partial<CursorClaims>, keyId = "new"): string {
  return signedBy("new", payloadOf(keyId, { ...signedClaims, ...changes }));
}

test("a cursor has the documented form and opens to its state", async () => {
  expect(cursor).toMatch(new RegExp(CURSOR_PATTERN));
  expect(await desk().open(cursor, use)).toEqual(state);
  expect(resigned({})).toBe(cursor);
});

test("the state in a poll cursor does not include the last row of the previous page", async () => {
  const poll: CursorUse = { surface: "list-company-event-changes", filterHash: filterHash({}) };
  const { after: _, ...position } = state;
  expect(await desk().open(await desk().sign(poll, position), poll)).toEqual(position);
});

test("a cursor does not contain the account's id", () => {
  expect(JSON.stringify(payloadIn(cursor))).not.toContain(ACCOUNT);
});

test("a cursor keeps the documented form with a long account id, long filters and the largest numbers", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const numbers = { snapshotGeneration: most, snapshotAsOf: most, watermark: most };
  const { sign } = desk({ accountId: "a".repeat(10_000), now: most });
  const long = await sign({ ...use, filterHash: filterHash({ id: ["c".repeat(10_000)] }) }, { ...state, ...numbers });
  expect(long).toMatch(new RegExp(CURSOR_PATTERN));
});

test("every refused cursor gets the same answer, and each reason is counted", async () => {
  const other = cursor.endsWith("A") ? "B" : "A";
  const refusals = [
    await refusal(""),
    await refusal("cmc1.AAAAAAAAAAAAAAAA.BBBB"),
    await refusal(`${cursor}A`),
    await refusal(`cmc1.${"A".repeat(100_000)}.${"A".repeat(43)}`),
    await refusal(cursor, {}, { retired: "new", signing: "old" }),
    await refusal(resigned({}, "never")),
    await refusal(cursor.slice(0, -1) + other),
    await refusal(signedBy("new", JSON.stringify({ ...payloadIn(cursor), v: 2 }))),
    await refusal(cursor, {}, { accountId: "acc_other" }),
    await refusal(cursor, { surface: "list-company-event-impacts" }),
    await refusal(resigned({ mode: "poll" })),
    await refusal(cursor, { filterHash: filterHash({}) }),
    await refusal(cursor, {}, { now: START - MINUTE_MS - 1 }),
    await refusal(cursor, {}, { now: START + DAY_MS + MINUTE_MS + 1 }),
  ];
  expect(refusals.map(({ reason }) => reason)).toEqual([
    "malformed",
    "malformed",
    "malformed",
    "malformed",
    "unknown-key",
    "unknown-key",
    "signature",
    "version",
    "account",
    "surface",
    "mode",
    "filters",
    "early",
    "expired",
  ]);
  expect(new Set(refusals.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(refusals[0]).toMatchObject({ status: 400, body: { violations: [{ field: "cursor" }] } });
});

test.each([
  ["from 60 s before its issue", START - MINUTE_MS],
  ["at its issue", START],
  ["at its expiry", START + DAY_MS],
  ["until 60 s after its expiry", START + DAY_MS + MINUTE_MS],
])("a cursor is valid %s", async (_, now) => {
  expect((await refusal(cursor, {}, { now })).reason).toBeUndefined();
});

test("a cursor can expire before a day has passed", async () => {
  const short = await desk().sign(use, state, START + 5_000);
  expect((await refusal(short, {}, { now: START + 5_000 + MINUTE_MS })).reason).toBeUndefined();
  expect((await refusal(short, {}, { now: START + 5_001 + MINUTE_MS })).reason).toBe("expired");
});

test("a cursor is valid for at most a day, regardless of the expiry that it claims", async () => {
  expect(await desk().sign(use, state, START + 2 * DAY_MS)).toBe(cursor);
  const long = resigned({ expiresAt: START + 100 * DAY_MS });
  expect((await refusal(long, {}, { now: START + DAY_MS + MINUTE_MS })).reason).toBeUndefined();
  expect((await refusal(long, {}, { now: START + DAY_MS + MINUTE_MS + 1 })).reason).toBe("expired");
});

test("a cursor of the previous key is valid until that key is retired", async () => {
  const before = await desk({ signing: "old" }).sign(use, state);
  expect((await refusal(before)).reason).toBeUndefined();
  expect((await refusal(before, {}, { retired: "old" })).reason).toBe("unknown-key");
});

test("a cursor with any byte changed is refused", async () => {
  const { open, refused } = desk();
  let tried = 0;
  for (let at = 0; at < cursor.length; at += 1) {
    for (const replacement of ["A", "z", "0", "-", "_", ".", "=", " ", "\0", "é", "%"]) {
      if (cursor[at] === replacement) continue;
      await expect(open(cursor.slice(0, at) + replacement + cursor.slice(at + 1), use)).rejects.toThrow(Failure);
      tried += 1;
    }
  }
  expect(refused).toHaveLength(tried);
});

test("a cursor with any bit changed is refused", async () => {
  const { open } = desk();
  const bytes = Buffer.from(cursor, "latin1");
  for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    await expect(open(changed.toString("latin1"), use)).rejects.toThrow(Failure);
  }
});

test("a cursor is refused if one of its claims is changed and its signature is not", async () => {
  const [prefix, , signature] = cursor.split(".");
  const claims = payloadIn(cursor);
  expect(Object.keys(claims).sort()).toEqual([..."aefgikmostvw"]);
  for (const name of Object.keys(claims)) {
    for (const value of [0, 1, 2, "", "poll", "old", null, undefined, true, {}, [], START + 1, "x".repeat(64)]) {
      if (claims[name] === value) continue;
      const changed = Buffer.from(JSON.stringify({ ...claims, [name]: value })).toString("base64url");
      const { reason } = await refusal([prefix, changed, signature].join("."));
      expect(["malformed", "unknown-key", "signature"], `${name}: ${value}`).toContain(reason);
    }
  }
});

test("a cursor of an operation that this version does not know is refused", async () => {
  const elsewhere = signedBy("new", JSON.stringify({ ...payloadIn(cursor), s: 9 }));
  expect((await refusal(elsewhere)).reason).toBe("version");
});

test("a token of another kind is refused, even if the same key signed it", async () => {
  const token = signedBy("new", payloadOf("new", signedClaims), "pg1");
  expect((await refusal(token)).reason).toBe("malformed");
  expect((await refusal(token.replace("pg1", "cmc1"))).reason).toBe("signature");
});
