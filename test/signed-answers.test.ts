import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnswerKey, checkAnswer, targetOf } from "../src/commands/verify-answer/check-answer.js";
import { savedAnswer } from "../src/commands/verify-answer/saved-answer.js";
import { checkText } from "../src/commands/verify-answer.js";
import { KEY_MS } from "../src/database/proof-keys.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { httpServer } from "../src/http/server.js";
import { SECOND_MS } from "../src/kit/clock.js";
import { commandHostForAll } from "./support/process.js";
import { type PythonResult, pythonProgram, whyNoPython } from "./support/python-program.js";
import { savedOverHttp } from "./support/saved-answers.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const SIGNED = `${CPI}?signature=1`;
const HISTORY = `${CPI}?history=true&signature=1`;
const HEAD = "/api/proofs/v1/get-signed-head";
const KEYS = "/.well-known/vigil-keys.json";
/** The independent verifier. "Both verifiers" are this program and the code of `vigil verify-answer`. */
const verifier = resolve(import.meta.dirname, "../docs/verify_answer.py");
/** The reason why the verifier cannot run here; empty if it can. */
const missing = whyNoPython("cryptography");
const command = commandHostForAll();

let stack: Stack;
let server: ReturnType<typeof httpServer>;
let address: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vigil-signed-"));
  stack = await startStack({ filled: ["us-cpi"], datasets: ["us-cpi"], env: { VIGIL_PUBLIC_READS: "on" } });
  server = httpServer((request) => stack.answer(request));
  address = await server.listen("127.0.0.1", 0);
});
afterAll(async () => {
  await server.close();
  await stack.close();
  rmSync(folder, { recursive: true });
});

const owner = (): Record<string, string> => ({ "x-service-key": stack.service.access.ownerKey.key ?? "" });
const keySet = async (): Promise<{ readonly keys: readonly AnswerKey[] }> => json(await stack.get(KEYS, {})) as never;

async function saved(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const [answer] = await savedOverHttp(address, target, { ...owner(), ...headers });
  return answer as Buffer;
}

async function checked(answer: Buffer, url?: string): Promise<string> {
  const { keys } = await keySet();
  return checkText(checkAnswer(savedAnswer(answer), keys, url === undefined ? undefined : targetOf(url)));
}

const python = missing === "" ? pythonProgram(verifier) : undefined;
afterAll(() => python?.close());

/** Runs the independent verifier, and returns its exit code and the line that it prints. */
async function independent(
  keys: unknown,
  answer: Buffer,
  ...url: readonly string[]
): Promise<PythonResult | undefined> {
  const files = [join(folder, "keys.json"), join(folder, "answer.http")] as const;
  writeFileSync(files[0], JSON.stringify(keys));
  writeFileSync(files[1], answer);
  return await python?.run([...files, ...url]);
}

/** Expects this result from the independent verifier, if Python can run it here. */
async function expectIndependently(expected: PythonResult, answer: Buffer, ...url: readonly string[]): Promise<void> {
  if (python) expect(await independent(await keySet(), answer, ...url)).toEqual(expected);
}

/** The answer with the first occurrence of a string replaced. */
function replaced(answer: Buffer, text: string, other: string): Buffer {
  const latin1 = answer.toString("latin1");
  expect(latin1).toContain(text);
  return Buffer.from(
    latin1.replace(text, () => other),
    "latin1",
  );
}

test.skipIf(missing !== "")(
  `the independent verifier refuses a wrong command line${missing && `, skipped: ${missing}`}`,
  async () => expect((await python?.run([]))?.[0]).toBe(2),
);

const statedHeaders = "x-vigil-data simulated, x-vigil-state ok, x-vigil-generation us-cpi=1";

describe("both verifiers accept a signed answer", () => {
  test.each([
    ["an operation", SIGNED, {}, `200 at 2026-11-18T12:00:00Z, ${statedHeaders}`],
    [
      "an operation with an unknown parameter",
      `${SIGNED}&colour=red`,
      {},
      'x-vigil-notice unknown-parameter;name="colour"',
    ],
    ["a projection", `${SIGNED}&jmespath=months[0].value`, {}, statedHeaders],
    [
      "a read of a past instant",
      `${SIGNED}&as_of=2026-11-18T12:00:00Z`,
      {},
      "memento-datetime Wed, 18 Nov 2026 12:00:00 GMT",
    ],
    ["a read of the account", `${HEAD}?signature=1`, {}, "200 at 2026-11-18T12:00:00Z, x-vigil-data simulated"],
    ["a call without a key", SIGNED, { "x-service-key": "" }, statedHeaders],
  ])("to %s", async (_, target, headers, line) => {
    const answer = await saved(target, headers);
    const result = await checked(answer);
    expect(result).toMatch(/^OK: /);
    expect(result).toContain(line);
    await expectIndependently([0, result], answer);
  });

  test.each(["gzip", "br"])("whose content is saved in %s, as sent", async (coding) => {
    const headers = { "accept-encoding": `${coding}, identity;q=0` };
    const answer = await saved(HISTORY, headers);
    expect(savedAnswer(answer).headers.get("content-encoding")).toBe(coding);
    const result = await checked(answer);
    expect(result).toMatch(/^OK: /);
    await expectIndependently([0, result], answer);
  });

  test("that is a 304, whose ETag identifies the content", async () => {
    const etag = savedAnswer(await saved(SIGNED)).headers.get("etag") ?? "";
    const answer = await saved(SIGNED, { "if-none-match": etag });
    const result = await checked(answer);
    expect(result).toContain("was answered with 304 at");
    expect(savedAnswer(answer).headers.get("signature-input")).toContain('"etag"');
    await expectIndependently([0, result], answer);
    expect(await checked(Buffer.concat([answer, Buffer.from("{}")]))).toBe(
      "REJECTED: the answer has content but no digest",
    );
  });
});

test("both verifiers reject an answer whose requested signature does not cover @status", async () => {
  const answer = await saved(CPI, { "accept-signature": 'a=("x-vigil-state"), vigil=()' });
  const reason = 'REJECTED: the signature does not cover "@status"';
  expect(await checked(answer)).toBe(reason);
  await expectIndependently([1, reason], answer);
});

test("vigil verify-answer accepts signed answers on a kept-alive connection, where later answers have precomputed heads", async () => {
  const answers = await savedOverHttp(address, SIGNED, owner(), 3);
  for (const answer of answers) expect(await checked(answer)).toMatch(/^OK: /);
});

test("a change to any byte of the content, of a covered header or of the signature is detected", async () => {
  const answer = await saved(SIGNED);
  const { keys } = await keySet();
  const headEnd = answer.indexOf("\r\n\r\n") + 4;
  const free =
    /^(?:access-control|vary|cache-control|content-length|ratelimit|x-ratelimit|x-request-id|x-content-type|connection|keep-alive|date)/i;
  let changedCount = 0;
  for (let at = 0; at < answer.length; at += 1) {
    const lineStart = answer.lastIndexOf("\n", at - 1) + 1;
    const line = answer.toString("latin1", lineStart, answer.indexOf("\n", at));
    const inLine = at - lineStart;
    // The signature does not cover the HTTP version, the reason phrase or the headers in `free`.
    const isFree = at < headEnd && (line.startsWith("HTTP/") ? inLine < 8 || inLine > 11 : free.test(line));
    // Line endings, and the space after a header name, may be changed without breaking the signature.
    if (isFree || (at < headEnd && /[\r\n]/.test(String.fromCharCode(answer[at] ?? 0)))) continue;
    if (at < headEnd && line.slice(0, inLine + 1).endsWith(": ")) continue;
    const changed = Buffer.from(answer);
    changed[at] = changed[at] === 0x31 ? 0x32 : 0x31;
    let result: string;
    try {
      result = checkText(checkAnswer(savedAnswer(changed), keys));
    } catch (error) {
      result = String(error);
    }
    if (!/^(?:REJECTED|Error)/.test(result)) expect([at, line, result]).toEqual([at, line, "a refusal"]);
    changedCount += 1;
  }
  expect(changedCount).toBeGreaterThan(900);
});

const damages: readonly (readonly [name: string, text: string, other: string, reason: string])[] = [
  ["the content", '"index":352', '"index":353', "the content does not match its digest"],
  ["the digest", "Content-Digest: sha-256=:", "Content-Digest: sha-256=:A", "the content does not match its digest"],
  ["the generation", "us-cpi=1", "us-cpi=2", "the signature is wrong"],
  ["the state", "X-Vigil-State: ok", "X-Vigil-State: stale", "the signature is wrong"],
  [
    "the label of simulated data",
    "X-Vigil-Data: simulated\r\n",
    "",
    'the covered component "x-vigil-data" is missing or is covered twice',
  ],
  ["the status", "HTTP/1.1 200", "HTTP/1.1 203", "the signature is wrong"],
  ["the query", `${CPI}?signature=1`, `${CPI}?history=true&signature=1`, "the signature is wrong"],
  ["the key's id", 'keyid="', 'keyid="A', "is not published"],
  ["the time", "created=1795003200", "created=1795003201", "the signature is wrong"],
  ["a time before the key", "created=1795003200", "created=1700000000", "the key was not valid"],
  ["a header twice", "X-Vigil-State: ok", "X-Vigil-State: ok\r\nX-Vigil-State: ok", "the signature is wrong"],
  ["a header that was added", "ETag:", "X-Vigil-History: a;thinned\r\nETag:", 'does not cover "x-vigil-history"'],
  ["fewer covered components", ' "x-vigil-state"', "", 'the signature does not cover "x-vigil-state"'],
  ["a component covered twice", ' "x-vigil-state"', ' "x-vigil-state" "x-vigil-state"', "is covered twice"],
  ["another label", "Signature: vigil=", "Signature: virgil=", "no label is in both signature-input and signature"],
  ["another algorithm", 'alg="ed25519"', 'alg="rsa-pss-sha512"', "the signature does not use ed25519"],
  ["no signature", "Signature: vigil=", "X-Signature: vigil=", "the answer is not signed"],
  [
    "a malformed list",
    "Signature-Input: vigil=(",
    "Signature-Input: vigil=((",
    "the header `signature-input` is malformed",
  ],
  ["no request target", "Content-Location:", "X-Location:", "the answer lacks content-location"],
];

test.each(damages)("both verifiers refuse an answer that was tampered with: %s", async (_, text, other, reason) => {
  const answer = replaced(await saved(SIGNED), text, other);
  const result = await checked(answer);
  expect(result).toMatch(/^REJECTED: /);
  expect(result).toContain(reason);
  await expectIndependently([1, result], answer);
});

test("both verifiers refuse a signature whose Base64 text differs only in the unused bits of its last character", async () => {
  const answer = await saved(SIGNED);
  const [, last = ""] = /Signature: vigil=:[A-Za-z0-9+/]{85}(.)==:/.exec(answer.toString("latin1")) ?? [];
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const damaged = replaced(answer, `${last}==:\r\n`, `${alphabet[alphabet.indexOf(last) + 1]}==:\r\n`);
  expect(await checked(damaged)).toBe("REJECTED: the header `signature` is malformed");
  await expectIndependently([1, "REJECTED: the header `signature` is malformed"], damaged);
});

test("both verifiers reject an answer whose request differs from the expected request", async () => {
  const answer = await saved(SIGNED);
  for (const url of [SIGNED, `https://data.example${SIGNED}`, `${address}${SIGNED}#top`]) {
    const result = await checked(answer, url);
    expect(result).toMatch(/^OK: /);
    await expectIndependently([0, result], answer, url);
  }
  const reason = `REJECTED: the answer is to ${SIGNED}, not to ${HISTORY}`;
  expect(await checked(answer, HISTORY)).toBe(reason);
  await expectIndependently([1, reason], answer, HISTORY);
});

test("an answer that was decoded before it was saved is rejected with advice on how to save it", async () => {
  const answer = await saved(HISTORY, { "accept-encoding": "gzip, identity;q=0" });
  const headEnd = answer.indexOf("\r\n\r\n") + 4;
  const decoded = Buffer.concat([answer.subarray(0, headEnd), gunzipSync(answer.subarray(headEnd))]);
  const reason =
    "REJECTED: the content does not match its digest; save the content as it was sent (gzip), without --compressed";
  expect(await checked(decoded)).toBe(reason);
  await expectIndependently([1, reason], decoded);
});

const noCurl = spawnSync("curl", ["--version"]).status === 0 ? "" : "no curl";

test.skipIf(noCurl !== "")(
  `both verifiers accept an answer that curl has saved${noCurl && `, skipped: ${noCurl}`}`,
  async () => {
    const key = `X-Service-Key: ${owner()["x-service-key"]}`;
    for (const more of [[], ["-H", "Accept-Encoding: gzip, identity;q=0"]]) {
      const args = ["-si", "-H", key, ...more, address + HISTORY];
      const { stdout } = await promisify(execFile)("curl", args, { encoding: "buffer" });
      const result = await checked(stdout, address + HISTORY);
      expect(result).toMatch(/^OK: /);
      await expectIndependently([0, result], stdout, address + HISTORY);
    }
  },
);

describe("vigil verify-answer", () => {
  const files = (answer: Buffer): readonly string[] => {
    writeFileSync(join(folder, "command.http"), answer);
    return ["verify-answer", join(folder, "command.http"), "--keys", join(folder, "command-keys.json")];
  };
  beforeAll(async () => writeFileSync(join(folder, "command-keys.json"), JSON.stringify(await keySet())));

  test("exits with 0 for a valid answer, and prints the result of the check as JSON with --json", async () => {
    const answer = await saved(SIGNED);
    expect(await command([...files(answer), "--url", SIGNED], {})).toMatchObject({
      code: 0,
      printed: `${await checked(answer)}\n`,
    });
    const { code, printed } = await command([...files(answer), "--json"], {});
    expect([code, JSON.parse(printed)]).toEqual([
      0,
      {
        isValid: true,
        status: 200,
        target: SIGNED,
        signedAt: 1795003200000,
        keyId: (await keySet()).keys[0]?.kid,
        headers: expect.objectContaining({ "x-vigil-state": "ok", "x-vigil-generation": "us-cpi=1" }),
      },
    ]);
  });

  test("exits with 1 for an unsigned answer", async () => {
    const answer = await saved(CPI);
    expect(await command(files(answer), {})).toMatchObject({
      code: 1,
      printed: "REJECTED: the answer is not signed\n",
    });
    const { code, printed } = await command([...files(answer), "--json"], {});
    expect([code, JSON.parse(printed)]).toEqual([1, { isValid: false, reason: "the answer is not signed" }]);
    await expectIndependently([1, "REJECTED: the answer is not signed"], answer);
  });

  test.each([
    ["no answer", "{}\n\n", "cannot be read as an answer: no HTTP status line at its beginning; save it with curl -si"],
    ["a folded header", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", 'a line in its header block is not a header: " c"'],
    ["half a header block", "HTTP/1.1 200 OK\r\nA: b\r\n", "its header block has no end"],
  ])("exits with 2 for a file with %s", async (_, text, reason) => {
    const { code, output } = await command(files(Buffer.from(text)), {});
    expect(code).toBe(2);
    expect(output).toContain(reason);
    const sentence = reason.replace("cannot be read as an answer: ", "");
    await expectIndependently([2, `unusable file: ${sentence}`], Buffer.from(text));
  });

  test.each([
    ["[]", "is not a list of keys as in /.well-known/vigil-keys.json"],
    ["{", "is not JSON"],
  ])("exits with 2 for a key file that contains %s", async (text, reason) => {
    const bad = join(folder, "bad-keys.json");
    writeFileSync(bad, text);
    const { code, output } = await command([...files(await saved(SIGNED)).slice(0, 2), "--keys", bad], {});
    expect([code, output]).toEqual([2, expect.stringContaining(reason)]);
  });

  test("exits with 2 for a file that does not exist", async () => {
    const { code, output } = await command(["verify-answer", join(folder, "none"), "--keys", "none"], {});
    expect([code, output]).toEqual([2, expect.stringContaining("none cannot be read (ENOENT)")]);
  });
});

/** The signature headers of an answer. */
const signatureOf = ({ headers }: IdentifiedAnswer) => [headers["Signature-Input"], headers["Signature"]];

describe("a caller gets no signature", () => {
  test.each([
    ["without a request for one", CPI, {}, 200],
    ["for signature=0", `${CPI}?signature=0`, {}, 200],
    ["for an error", `${CPI}?history=perhaps&signature=1`, {}, 400],
    ["for a path of the platform", `${KEYS}?signature=1`, {}, 200],
    ["for a component that the answer lacks", CPI, { "accept-signature": 'a=("@status" "x-none")' }, 200],
    ["for an unknown component of the request", CPI, { "accept-signature": 'a=("@authority";req)' }, 200],
    ["for a request that lists a component twice", CPI, { "accept-signature": 'a=("etag" "etag")' }, 200],
    ["for an empty list of components", CPI, { "accept-signature": "a=();created" }, 200],
    ["for another key", CPI, { "accept-signature": 'a=("etag");keyid="other"' }, 200],
    ["for another algorithm", CPI, { "accept-signature": 'a=("etag");alg="rsa-pss-sha512"' }, 200],
    ["for a request for a signature that expires", CPI, { "accept-signature": 'a=("etag");expires' }, 200],
    ["for an unreadable Accept-Signature", CPI, { "accept-signature": 'a=("etag"' }, 200],
    [
      "for an Accept-Signature that is too long",
      CPI,
      { "accept-signature": `a=("etag");nonce="${"n".repeat(2_048)}"` },
      200,
    ],
    ["for a very long target", `${CPI}?x=${"a".repeat(8_192)}`, { "accept-signature": 'a=("etag")' }, 200],
  ])("%s", async (_, target, headers, status) => {
    const answer = await stack.get(target, { ...owner(), ...headers });
    expect([answer.status, ...signatureOf(answer)]).toEqual([status, undefined, undefined]);
  });

  test("for a HEAD, which has no content", async () => {
    const answer = await call(stack.answer, "HEAD", SIGNED, owner());
    expect([answer.status, ...signatureOf(answer)]).toEqual([200, undefined, undefined]);
  });
});

test.each([
  ["an unknown value", `${CPI}?signature=maybe`, 'must be true or false, got "maybe"'],
  ["two values", `${CPI}?signature=1&signature=0`, "must be given once"],
  ["an unknown value in a read of the account", `${HEAD}?signature=2`, 'must be true or false, got "2"'],
  ["a stream", "/api/datasets/v1/stream-dataset-changes?signature=1", "is not available for streams"],
  [
    "a very long target",
    `${SIGNED}&x=${"a".repeat(8_192)}`,
    "is not available for a request target of more than 8192 characters, got 8242",
  ],
])("the parameter `signature` is refused with 400 for %s", async (_, target, reason) => {
  const answer = await stack.get(target);
  expect(answer.status).toBe(400);
  const { violations } = json(answer) as { readonly violations: readonly { field: string; description: string }[] };
  expect(violations).toEqual([{ field: "signature", description: expect.stringContaining(reason) }]);
});

test("a batch item that requests a signature is refused, and the other items are answered", async () => {
  const operations = [SIGNED, CPI].map((path, at) => ({ id: String(at), path }));
  const headers = { ...owner(), "content-type": "application/json", "accept-signature": 'a=("@status")' };
  const body = JSON.stringify({ operations });
  const answer = await call(stack.answer, "POST", "/api/batch/v1/execute", headers, { body });
  const { results } = json(answer) as { readonly results: readonly { status: number; body: unknown }[] };
  expect(results.map(({ status }) => status)).toEqual([400, 200]);
  const description = "is not available in a batch: its items have no headers of their own";
  expect(results[0]?.body).toMatchObject({ violations: [{ field: "signature", description }] });
  expect(signatureOf(answer)).toEqual([undefined, undefined]);
});

describe("Accept-Signature is honoured as requested", () => {
  const keyId = async (): Promise<string> => (await keySet()).keys[0]?.kid ?? "";

  test("the label, components, key, nonce and tag are those requested", async () => {
    const components = '("@status" "@method";req "@path";req "content-digest" "x-vigil-state" "cache-control")';
    const request = `mine=${components};created;keyid="${await keyId()}";alg="ed25519";nonce="n\\"1";tag="t"`;
    const answer = await stack.get(CPI, { ...owner(), "accept-signature": request });
    expect(answer.headers["Signature-Input"]).toBe(
      `mine=${components};created=1795003200;keyid="${await keyId()}";alg="ed25519";nonce="n\\"1";tag="t"`,
    );
    expect(answer.headers["Signature"]).toMatch(/^mine=:/);
    expect(answer.headers["Vary"]).toBe("Accept, Accept-Encoding, Origin, Accept-Signature");
  });

  test("of several requested signatures, the first acceptable one is made", async () => {
    const request = 'a=("x-none"), b=1, c=("@status"), d=("etag")';
    const answer = await stack.get(CPI, { ...owner(), "accept-signature": request });
    expect(answer.headers["Signature-Input"]).toMatch(/^c=\("@status"\);created=/);
  });

  test("signature=1 yields the default signature if no signature in Accept-Signature is acceptable", async () => {
    const answer = await stack.get(SIGNED, { ...owner(), "accept-signature": 'a=("x-none")' });
    expect(answer.headers["Signature-Input"]).toMatch(/^vigil=\("@status" /);
  });

  test("a requested signature that covers everything a verifier needs is accepted by both verifiers", async () => {
    const plain = savedAnswer(await saved(SIGNED)).headers.get("signature-input") ?? "";
    const [, components = ""] = /^vigil=(\([^)]*\))/.exec(plain) ?? [];
    const answer = await saved(CPI, { "accept-signature": `own=${components};nonce="7"` });
    const result = await checked(answer);
    expect(result).toMatch(/^OK: /);
    await expectIndependently([0, result], answer);
  });
});

test("a signed answer has the cached body and the headers of the unsigned answer, and four more headers", async () => {
  const plain = await stack.get(CPI);
  const signed = await stack.get(SIGNED);
  expect(signed.body).toBe(plain.body);
  expect(signed.headers["ETag"]).toBe(plain.headers["ETag"]);
  const added = ["Content-Digest", "Content-Location", "Signature-Input", "Signature"];
  expect(Object.keys(signed.headers)).toEqual([...Object.keys(plain.headers), ...added]);
});

test("only equal calls within the same second share a signature", async () => {
  const first = await stack.get(SIGNED);
  expect((await stack.get(SIGNED)).headers).toBe(first.headers);
  const nonce = (text: string) => stack.get(SIGNED, { ...owner(), "accept-signature": `a=("etag");nonce="${text}"` });
  expect((await nonce("1")).headers["Signature-Input"]).toContain('nonce="1"');
  expect((await nonce("2")).headers["Signature-Input"]).toContain('nonce="2"');
  const again = await stack.get(SIGNED);
  stack.clock.advance(SECOND_MS);
  const later = await stack.get(SIGNED);
  stack.clock.advance(-SECOND_MS);
  expect(later.headers["Signature-Input"]).toContain("created=1795003201;");
  expect(signatureOf(again)).toEqual(signatureOf(first));
});

test("after a key rotation, old answers still verify and new answers are signed with the new key", async () => {
  const own = await startStack({ filled: ["us-cpi"], datasets: ["us-cpi"] });
  const keysOf = async () => (json(await own.get(KEYS, {})) as { readonly keys: readonly AnswerKey[] }).keys;
  const savedFrom = async (): Promise<Buffer> => {
    const { status, headers, body } = await own.get(SIGNED);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} OK\r\n${lines.join("")}\r\n`), body as Buffer]);
  };
  try {
    const old = await savedFrom();
    const oldKeys = await keysOf();
    own.clock.advance(KEY_MS + 1);
    const next = await savedFrom();
    const keys = await keysOf();
    expect([oldKeys.length, keys.length]).toEqual([1, 2]);
    const results = [old, next].map((answer) => checkAnswer(savedAnswer(answer), keys));
    expect(results.map((result) => result.isValid && result.keyId)).toEqual([keys[1]?.kid, keys[0]?.kid]);
    expect(checkText(checkAnswer(savedAnswer(next), oldKeys))).toBe(
      `REJECTED: the key ${keys[0]?.kid} is not published`,
    );
    for (const answer of [old, next]) expect((await independent({ keys }, answer))?.[0] ?? 0).toBe(0);
  } finally {
    await own.close();
  }
});
