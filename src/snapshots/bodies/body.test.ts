import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LoopTurns } from "../../kit/loop-turns.js";
import {
  BodyDamaged,
  checkedText,
  contentText,
  type PartRecords,
  pack,
  recordBatches,
  recordsIn,
  unpacked,
} from "./body.js";

const records = { months: [{ id: "2026-09", value: 1.5, note: null, name: "Köln 🌍" }], empty: [] };

const unpack = (contentHash: string, bytes: Buffer, turns?: LoopTurns) =>
  recordsIn(contentHash, unpacked(bytes), turns);

describe("contentText", () => {
  test("equal records of a dataset have equal hashes", () => {
    expect(contentText("a", records)).toEqual(contentText("a", structuredClone(records)));
    expect(contentText("a", records).contentHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    { difference: "another dataset", dataset: "b", parts: records },
    { difference: "another value", dataset: "a", parts: { ...records, months: [{ value: 1.6 }] } },
    { difference: "another order of parts", dataset: "a", parts: { empty: [], months: records.months } },
    { difference: "another part", dataset: "a", parts: { ...records, more: [] } },
  ])("$difference changes the hash", ({ dataset, parts }) => {
    expect(contentText(dataset, parts).contentHash).not.toBe(contentText("a", records).contentHash);
  });
});

describe("pack and unpack", () => {
  test("any JSON records survive a round trip", async () => {
    const parts = fc.dictionary(fc.string(), fc.array(fc.jsonValue({ noUnicodeString: false })), {
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(parts, async (input) => {
        const { lines, contentHash } = contentText("a", input);
        const wire: unknown = JSON.parse(JSON.stringify(input));
        expect(await unpack(contentHash, await pack(lines))).toEqual(wire);
      }),
      { numRuns: 100 },
    );
  });

  test("records whose text would be too long to be read are refused", () => {
    const { lines } = contentText("a", { b: ["ü"] });
    const bytes = Buffer.byteLength(lines.join("\n"));
    expect(contentText("a", { b: ["ü"] }, bytes).lines).toEqual(lines);
    const sentence = `the records of a take ${bytes} bytes; at most ${bytes - 1} are stored`;
    expect(() => contentText("a", { b: ["ü"] }, bytes - 1)).toThrow(sentence);
  });

  test("records whose reading takes several turns of the event loop come back in order", async () => {
    const many = { a: [], b: Array.from({ length: 30_000 }, (_, id) => ({ id, name: `näme ${id}` })), c: [1, null] };
    const { lines, contentHash } = contentText("a", many);
    let turns = 0;
    const counted = (callback: () => void): void => {
      turns += 1;
      setImmediate(callback);
    };
    const slices = new LoopTurns({ sliceMs: 0.1, defer: counted });
    expect(await unpack(contentHash, await pack(lines), slices)).toEqual(many);
    expect(turns).toBeGreaterThan(5);
  });

  test("records longer than one unpacked piece come back whole, wherever they begin", async () => {
    const lengths = [70_000, 1, 200_000, 65_535, 65_536, 3];
    const long = { a: lengths.map((length) => ({ text: "ü".repeat(length) })), b: ["end"] };
    const { lines, contentHash } = contentText("a", long);
    expect(await unpack(contentHash, await pack(lines))).toEqual(long);
  });

  test("a body in the older one-line format is still readable", async () => {
    const text = JSON.stringify({ format: 1, dataset: "a", parts: records });
    const contentHash = createHash("sha256").update(text).digest("hex");
    expect(await unpack(contentHash, gzipSync(text))).toEqual(records);
  });

  test("a body with one altered byte is either refused or still yields exactly the stored records", async () => {
    const { lines, contentHash } = contentText("a", records);
    const packed = await pack(lines);
    const alteration = fc.record({ at: fc.nat(packed.length - 1), mask: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(alteration, async ({ at, mask }) => {
        const altered = Buffer.from(packed);
        altered[at] = (altered[at] ?? 0) ^ mask;
        const read = await unpack(contentHash, altered).catch((error: unknown) => error);
        // Some bytes of a gzip header do not affect the content.
        if (!(read instanceof BodyDamaged)) expect(read).toEqual(records);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    { damage: "nothing", bytes: () => Buffer.alloc(0), sentence: "cannot be unpacked" },
    { damage: "another text", bytes: () => Buffer.from("hello"), sentence: "cannot be unpacked" },
    { damage: "its first half", bytes: (whole: Buffer) => whole.subarray(0, 30), sentence: "cannot be unpacked" },
    { damage: "text that is not JSON", bytes: () => gzipSync("no\nJSON"), sentence: "does not match its hash" },
    { damage: "a body without records", bytes: () => gzipSync(""), sentence: "does not match its hash" },
    { damage: "another body", bytes: () => gzipSync("{}"), sentence: "does not match its hash" },
  ])("a body replaced by $damage is refused, with the start of its hash in the error", async ({ bytes, sentence }) => {
    const { lines, contentHash } = contentText("a", records);
    const read = unpack(contentHash, bytes(await pack(lines)));
    await expect(read).rejects.toThrow(BodyDamaged);
    await expect(read).rejects.toThrow(`body ${contentHash.slice(0, 12)} ${sentence}`);
  });
});

describe("checkedText", () => {
  const read = async (contentHash: string, bytes: Buffer): Promise<string> => {
    const pieces: Buffer[] = [];
    for await (const piece of checkedText(contentHash, unpacked(bytes))) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };

  test("accepts the text of a body, and refuses any other text", async () => {
    const { lines, contentHash } = contentText("a", records);
    expect(await read(contentHash, await pack(lines))).toBe(lines.join("\n"));
    await expect(read(contentHash, gzipSync("another"))).rejects.toThrow("does not match its hash");
    await expect(read(contentHash, Buffer.from("no gzip"))).rejects.toThrow("cannot be unpacked");
  });
});

describe("recordBatches", () => {
  const read = async (contentHash: string, bytes: Buffer): Promise<PartRecords> => {
    const parts = new Map<string, unknown[]>();
    for await (const { part, records: some } of recordBatches(contentHash, unpacked(bytes))) {
      parts.set(part, [...(parts.get(part) ?? []), ...some]);
    }
    return Object.fromEntries(parts);
  };
  const withRecords = (parts: PartRecords): PartRecords =>
    Object.fromEntries(Object.entries(parts).filter(([, list]) => list.length > 0));

  test("any JSON records come back in order, and empty parts do not come back", async () => {
    const parts = fc.dictionary(fc.string(), fc.array(fc.jsonValue()), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(parts, async (input) => {
        const { lines, contentHash } = contentText("a", input);
        const wire = JSON.parse(JSON.stringify(input)) as PartRecords;
        expect(await read(contentHash, await pack(lines))).toEqual(withRecords(wire));
      }),
      { numRuns: 100 },
    );
  });

  test("records of all lengths come back whole, wherever a piece begins", async () => {
    const lengths = [70_000, 1, 200_000, 65_535, 65_536, 3];
    const long = { a: lengths.map((length) => ({ text: "ü".repeat(length) })), b: [], c: ["end"] };
    const { lines, contentHash } = contentText("a", long);
    expect(await read(contentHash, await pack(lines))).toEqual(withRecords(long));
  });

  test("a body in the older one-line format is still readable", async () => {
    const text = JSON.stringify({ format: 1, dataset: "a", parts: records });
    const contentHash = createHash("sha256").update(text).digest("hex");
    expect(await read(contentHash, gzipSync(text))).toMatchObject({ months: records.months });
  });

  test.each([
    { damage: "text that is not JSON", text: "no\nJSON" },
    { damage: "no text", text: "" },
    { damage: "no header", text: "{}\n{}" },
    { damage: "more records than the header states", text: '{"format":2,"parts":{"a":1}}\n1\n2' },
    { damage: "another record", text: '{"format":2,"parts":{"a":1}}\n1' },
  ])("a body with $damage is refused, because it does not match its hash", async ({ text }) => {
    const { contentHash } = contentText("a", records);
    const packed = await pack([text]);
    const reading = read(contentHash, packed);
    await expect(reading).rejects.toThrow(BodyDamaged);
    await expect(reading).rejects.toThrow("does not match its hash");
  });
});
