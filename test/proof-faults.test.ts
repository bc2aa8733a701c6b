import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { KEY_MS } from "../src/database/proof-keys.js";
import { DAY_MS } from "../src/kit/clock.js";
import { verifyStore } from "../src/snapshots/verify-store.js";
import { type PythonProgram, type PythonResult, pythonProgram, whyNoPython } from "./support/python-program.js";
import { json, type Stack, startStack } from "./support/stack.js";

const DATASETS = ["us-cpi", "co2-monitoring", "earthquakes"];
const SIZE = DATASETS.length;
const missing = whyNoPython("cryptography");

type Json = Readonly<Record<string, unknown>>;

let python: PythonProgram;
let stack: Stack;
let folder: string;
let head: Json;
let keys: string;
beforeAll(() => {
  python = pythonProgram(resolve(import.meta.dirname, "../docs/verify_vigil.py"));
});
afterAll(() => python.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vigil-faults-"));
  stack = await startStack({ datasets: DATASETS });
  for (const name of DATASETS) await stack.run(name);
  head = await get("/api/proofs/v1/get-signed-head");
  keys = save("keys.json", await get("/.well-known/vigil-keys.json"));
});
afterEach(async () => {
  await stack.close();
  rmSync(folder, { recursive: true });
});

async function get(target: string): Promise<Json> {
  const answer = await stack.get(target);
  expect([target, answer.status]).toEqual([target, 200]);
  return json(answer) as Json;
}

function save(name: string, document: Json): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** Verifies the store as `vigil verify` does, and returns the faults. */
async function ownFaults(): Promise<readonly string[]> {
  const { faults } = await verifyStore(stack.service.database, stack.service.store);
  return faults.map(({ subject, problem }) => `${subject} ${problem}`);
}

/** Lets the independent verifier check a generation's inclusion proof against the kept head and these hashes. */
async function provenApart(dataset: string, ...hashes: readonly string[]): Promise<PythonResult> {
  const proof = await get(`/api/proofs/v1/get-inclusion-proof?dataset=${dataset}&generation=1&size=${SIZE}`);
  return await python.run([
    "inclusion",
    keys,
    save("head.json", head),
    save("proof.json", proof),
    dataset,
    "1",
    ...hashes,
  ]);
}

const sha256 = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");

/** The string with its character at this position replaced. */
const flipped = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);

/** About forty positions in a string or in bytes, including the first and the last. */
const placesIn = ({ length }: { readonly length: number }): readonly number[] => {
  const places = Array.from({ length: 40 }, (_, at) => Math.round((at * (length - 1)) / 39));
  return [...new Set(places)];
};

/** The stored row of the dataset's generation. */
const stored = (dataset: string) =>
  stack.service.database.db.selectFrom("snapshot").selectAll().where("dataset", "=", dataset).executeTakeFirstOrThrow();

describe.skipIf(missing !== "")(`with a kept head${missing && `, skipped: ${missing}`}`, () => {
  test("an intact store passes both verifiers, down to the stored bytes", async () => {
    expect(await ownFaults()).toEqual([]);
    for (const dataset of DATASETS) {
      const { content_hash, provenance } = await stored(dataset);
      const content = gunzipSync(readFileSync(join(stack.dataDir, "bodies", content_hash)));
      expect((await provenApart(dataset, sha256(content), sha256(provenance)))[0]).toBe(0);
    }
  });

  test("both verifiers find a changed byte in a stored body", async () => {
    const { content_hash } = await stored("us-cpi");
    const file = join(stack.dataDir, "bodies", content_hash);
    const bytes = readFileSync(file);
    // The first ten bytes are the gzip header. Of these, only the magic number and the compression method are changed.
    for (const at of [0, 1, 2, ...placesIn(bytes.subarray(10)).map((place) => place + 10)]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      writeFileSync(file, changed);
      expect([at, await ownFaults()]).toEqual([at, [expect.stringMatching(/^us-cpi 1 body /)]]);
      let contentHash = "unreadable";
      try {
        contentHash = sha256(gunzipSync(changed));
      } catch {}
      expect([at, (await provenApart("us-cpi", contentHash))[0]]).toEqual([at, 1]);
    }
  });

  test("both verifiers find a changed character in a stored provenance", async () => {
    const { content_hash, provenance } = await stored("us-cpi");
    for (const at of placesIn(provenance)) {
      const change = { provenance: flipped(provenance, at) };
      await stack.service.database.db.updateTable("snapshot").set(change).where("dataset", "=", "us-cpi").execute();
      expect([at, await ownFaults()]).toEqual([at, ["us-cpi 1 differs from leaf 0"]]);
      const result = await provenApart("us-cpi", content_hash, sha256(change.provenance));
      expect([at, ...result]).toEqual([at, 1, expect.stringContaining("the leaf has the provenance")]);
    }
  });

  test("both verifiers find a changed character in a leaf", async () => {
    const { db } = stack.service.database;
    const { entry, hashes } = await db
      .selectFrom("proof_leaf")
      .selectAll()
      .where("leaf_index", "=", 0)
      .executeTakeFirstOrThrow();
    const change = (values: { readonly entry?: string; readonly hashes?: string }) =>
      db.updateTable("proof_leaf").set(values).where("leaf_index", "=", 0).execute();
    for (const at of placesIn(entry)) {
      await change({ entry: flipped(entry, at) });
      expect([at, (await ownFaults())[0]]).toEqual([at, expect.stringMatching(/^leaf 0 /)]);
      expect([at, (await provenApart("us-cpi"))[0]]).toEqual([at, 1]);
    }
    await change({ entry });
    for (const at of placesIn(hashes)) {
      await change({ hashes: flipped(hashes, at) });
      expect([at, (await ownFaults())[0]]).toEqual([at, expect.stringMatching(/^leaf 0 /)]);
      // The proof of the sibling leaf contains the hash of this leaf.
      expect([at, (await provenApart("co2-monitoring"))[0]]).toEqual([at, 1]);
    }
    await change({ hashes });
    expect([await ownFaults(), (await provenApart("us-cpi"))[0]]).toEqual([[], 0]);
  });

  test("the independent verifier finds every changed character in the signature of a head", async () => {
    const signature = String(head["signature"]);
    expect((await python.run(["head", keys, save("head.json", head)]))[0]).toBe(0);
    for (let at = 0; at < signature.length; at += 1) {
      const changed = save("changed.json", { ...head, signature: flipped(signature, at) });
      expect([at, (await python.run(["head", keys, changed]))[0]]).toEqual([at, 1]);
    }
  });

  test("no proof leads from the kept head to a truncated log, and the proof to a forked log fails verification", async () => {
    const { db } = stack.service.database;
    const kept = save("kept.json", head);
    const end = SIZE - 1;
    await db.deleteFrom("proof_leaf").where("leaf_index", "=", end).execute();
    await db.updateTable("proof_log").set({ size: end }).execute();
    const refused = await stack.get(`/api/proofs/v1/get-consistency-proof?first=${SIZE}`);
    expect([refused.status, json(refused)]).toMatchObject([
      400,
      { violations: [{ field: "first", description: `must be at most ${end}, got ${SIZE}` }] },
    ]);
    for (let size = SIZE; size <= SIZE + 1; size += 1) {
      stack.clock.advance(DAY_MS);
      await stack.run("earthquakes");
      const forked = await get("/api/proofs/v1/get-signed-head");
      expect(forked["size"]).toBe(size);
      const proof = await get(`/api/proofs/v1/get-consistency-proof?first=${SIZE}&second=${size}`);
      const result = await python.run([
        "consistency",
        keys,
        kept,
        save("forked.json", forked),
        save("proof.json", proof),
      ]);
      expect([size, ...result]).toEqual([size, 1, expect.stringMatching(/^REJECTED: /)]);
    }
  });

  test("after a key rotation, old heads stay valid and can be proved consistent with new ones", async () => {
    const kept = save("kept.json", head);
    stack.clock.advance(KEY_MS + 1);
    await stack.run("earthquakes");
    const next = await get("/api/proofs/v1/get-signed-head");
    expect(next["keyId"]).not.toBe(head["keyId"]);
    const rotated = save("rotated.json", await get("/.well-known/vigil-keys.json"));
    const later = save("later.json", next);
    const proof = save(
      "proof.json",
      await get(`/api/proofs/v1/get-consistency-proof?first=${SIZE}&second=${SIZE + 1}`),
    );
    expect((await python.run(["head", rotated, kept]))[0]).toBe(0);
    expect((await python.run(["consistency", rotated, kept, later, proof]))[0]).toBe(0);
    expect(await python.run(["head", keys, later])).toEqual([1, `REJECTED: the key ${next["keyId"]} is not published`]);
  });
});
