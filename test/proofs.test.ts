import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { proofStore } from "../src/services/proofs/store/store.js";
import { type PythonProgram, pythonProgram, whyNoPython } from "./support/python-program.js";
import { runJob } from "./support/run-job.js";
import { json, type Stack, startStack } from "./support/stack.js";

const HEAD = "/api/proofs/v1/get-signed-head";
const INCLUSION = "/api/proofs/v1/get-inclusion-proof";
const CONSISTENCY = "/api/proofs/v1/get-consistency-proof";
const KEYS = "/.well-known/vigil-keys.json";
const DATASETS = ["us-cpi", "earthquakes", "co2-monitoring"];
const verifier = resolve(import.meta.dirname, "../docs/verify_vigil.py");
/** The reason why the verifier cannot run here; empty if it can. */
const missing = whyNoPython("cryptography");

type Json = Readonly<Record<string, unknown>>;

/** Runs the verifier as a command, and returns its exit code and the line that it prints. */
function verifyCommand(...args: readonly string[]): readonly [number | null, string] {
  const { status, stdout } = spawnSync("python3", [verifier, ...args], { encoding: "utf8" });
  return [status, stdout.trim()];
}

/** Returns a copy of the document in which one character of the member is different. */
function damaged(document: Json, member: string): Json {
  const text = JSON.stringify(document[member]);
  const middle = Math.floor(text.length / 2);
  const at = middle + text.slice(middle).search(/[0-9a-z]/);
  const other = text[at] === "1" ? "2" : "1";
  return { ...document, [member]: JSON.parse(text.slice(0, at) + other + text.slice(at + 1)) };
}

let stack: Stack;
let folder: string;
let program: PythonProgram | undefined;
beforeAll(async () => {
  if (missing === "") program = pythonProgram(verifier);
  folder = mkdtempSync(join(tmpdir(), "vigil-proofs-"));
  stack = await startStack({ datasets: DATASETS, env: { VIGIL_PUBLIC_READS: "on" } });
});
afterAll(async () => {
  program?.close();
  rmSync(folder, { recursive: true });
  await stack.close();
});

/** Runs the verifier in a process that all runs share. Returns its exit code and its output. */
async function verify(...args: readonly string[]): Promise<readonly [number, string]> {
  if (!program) throw new Error(missing);
  return program.run(args);
}

function save(name: string, document: Json): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

const get = async (target: string): Promise<Json> => {
  const answer = await stack.get(target);
  expect([target, answer.status]).toEqual([target, 200]);
  return json(answer) as Json;
};

test("the first key is created at start-up and published to everyone", async () => {
  for (const job of proofStore.jobs ?? []) await runJob(stack, job);
  const answer = await stack.get(KEYS, {});
  expect(answer.status).toBe(200);
  const key = { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" };
  const members = ["alg", "crv", "kid", "kty", "use", "validFrom", "validUntil", "x"];
  const { keys } = json(answer) as { readonly keys: readonly Json[] };
  expect(keys).toEqual([expect.objectContaining(key)]);
  expect(keys.map((published) => Object.keys(published).sort())).toEqual([members]);
});

test.each([
  [`${INCLUSION}?dataset=us-cpi&generation=99`, 404, { error: "No such generation" }],
  [`${INCLUSION}?dataset=unknown&generation=1`, 404, { error: "No such generation" }],
  [`${INCLUSION}?dataset=us-cpi&generation=0`, 400, { violations: [{ field: "generation" }] }],
  [`${INCLUSION}?generation=1`, 400, { violations: [{ field: "dataset" }] }],
  [`${CONSISTENCY}?first=99`, 400, { violations: [{ field: "first" }] }],
  [CONSISTENCY, 400, { violations: [{ field: "first" }] }],
])("%s is refused with %i", async (target, status, body) => {
  const answer = await stack.get(target);
  expect([answer.status, json(answer)]).toMatchObject([status, body]);
});

test.each([HEAD, `${INCLUSION}?dataset=us-cpi&generation=1`, `${CONSISTENCY}?first=1`])(
  "%s needs a credential, even where reads are public",
  async (target) => expect((await stack.get(target, {})).status).toBe(401),
);

test.skipIf(missing !== "")(
  `the independent verifier accepts valid proofs and rejects damaged proofs${missing && `, skipped: ${missing}`}`,
  async () => {
    const [first = "", ...others] = DATASETS;
    await stack.run(first);
    const older = await get(HEAD);
    for (const name of others) await stack.run(name);
    const newer = await get(HEAD);
    expect([older["size"], newer["size"]]).toEqual([1, 3]);
    const keySet = await get(KEYS);
    const inclusion = await get(`${INCLUSION}?dataset=us-cpi&generation=1&size=3`);
    const consistency = await get(`${CONSISTENCY}?first=1&second=3`);
    const { contentHash } = JSON.parse(String(inclusion["leaf"]));
    expect(contentHash).toBe((await stack.service.store.newest("us-cpi"))?.contentHash);

    const keys = save("keys.json", keySet);
    const heads = [save("older.json", older), save("newer.json", newer)] as const;
    const proofs = [save("inclusion.json", inclusion), save("consistency.json", consistency)] as const;
    expect(verifyCommand("head", keys, heads[0])[0]).toBe(0);
    expect((await verify("head", keys, heads[0]))[0]).toBe(0);
    expect(await verify("inclusion", keys, heads[1], proofs[0], "us-cpi", "1", contentHash)).toEqual([
      0,
      `OK: us-cpi 1 has the content ${contentHash}`,
    ]);
    expect(await verify("consistency", keys, ...heads, proofs[1])).toEqual([
      0,
      "OK: the head of 3 generations extends the head of 1",
    ]);

    for (const member of ["size", "rootHash", "timestamp", "keyId", "signature"]) {
      const bad = save("bad.json", damaged(newer, member));
      expect([member, (await verify("head", keys, bad))[0]]).toEqual([member, 1]);
    }
    for (const member of ["leafIndex", "leaf", "hashes"]) {
      const bad = save("bad.json", damaged(inclusion, member));
      expect([member, (await verify("inclusion", keys, heads[1], bad))[0]]).toEqual([member, 1]);
    }
    const bad = save("bad.json", damaged(consistency, "hashes"));
    expect((await verify("consistency", keys, ...heads, bad))[0]).toBe(1);
    expect(verifyCommand("consistency", keys, ...heads, bad)[0]).toBe(1);
    expect((await verify("inclusion", keys, heads[1], proofs[0], "us-cpi", "2"))[0]).toBe(1);
    expect(verifyCommand("head", keys)[0]).toBe(2);
  },
);
