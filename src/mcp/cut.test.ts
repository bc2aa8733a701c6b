import fc from "fast-check";
import { expect, test } from "vitest";
import { type Place, partOf } from "./cut.js";

/** Reads all parts of an answer. */
function partsOf(text: string, bytesMax: number) {
  const parts = [];
  let place: Place | undefined;
  do {
    const part = partOf(text, bytesMax, place);
    if (!part) return undefined;
    expect(Buffer.byteLength(part.json)).toBeLessThanOrEqual(bytesMax);
    parts.push(part);
    place = part.next;
  } while (place);
  return parts;
}

test("an answer that fits is delivered whole", () => {
  expect(partOf('{"a":[1,2]}', 11)).toEqual({ json: '{"a":[1,2]}' });
});

test("a large answer is cut to the first rows of its longest list, wherever that list is", () => {
  const text = JSON.stringify({ "a.b": { rows: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, few: [1, 2], "c,": 1 });
  const [first, second] = partsOf(text, 49) ?? [];
  const cut = { unit: "row", list: '"a.b".rows', from: 0, to: 5, of: 9 };
  expect(first).toEqual({ json: '{"a.b":{"rows":[1,2,3,4,5]},"few":[1,2],"c,":1}', cut, next: { row: 5 } });
  expect(second).toEqual({ json: "[6,7,8,9]", cut: { ...cut, from: 5, to: 9 } });
});

test("a row that is too large for one part is split into pieces", () => {
  const rows = ["a", "b".repeat(50), "c"];
  const parts = partsOf(JSON.stringify(rows), 20) ?? [];
  expect(parts[0]).toMatchObject({ json: '["a"]', next: { row: 1 } });
  const pieces = parts.slice(1, -1).map(({ json }) => JSON.parse(json));
  expect(JSON.parse(pieces.join(""))).toBe(rows[1]);
  expect(parts.at(-1)).toMatchObject({ json: '["c"]', cut: { unit: "row", from: 2, to: 3, of: 3 } });
});

test("no piece of a text splits a character, and the joined pieces are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.integer({ min: 14, max: 60 }), (content, bytesMax) => {
      const text = JSON.stringify(content);
      const parts = partsOf(text, bytesMax) ?? [];
      const joined = parts[0]?.cut ? parts.map(({ json }) => JSON.parse(json)).join("") : parts[0]?.json;
      expect(joined).toBe(text);
      // Half a surrogate pair would become an escape.
      for (const { json } of parts) expect(json).not.toMatch(/\\ud[89a-f]/i);
    }),
  );
});

test("there is no part if nothing fits", () => {
  expect(partOf('"abc"', 2)).toBeUndefined();
});
