import { expect, test } from "vitest";
import { type Notice, noticeHeader } from "./notice.js";

const unknown = (name: string): Notice => ({ kind: "unknown-parameter", name });

test("there is no header without notices", () => {
  expect(noticeHeader([])).toBeUndefined();
});

test("each notice is a list item with its parameters", () => {
  expect(
    noticeHeader([
      unknown("cuntry"),
      { kind: "unknown-country", parameter: "country", value: "ukrania" },
      { kind: "inverted-range", from: "start", to: "end" },
    ]),
  ).toBe(
    'unknown-parameter;name="cuntry", unknown-country;parameter="country";value="ukrania", inverted-range;from="start";to="end"',
  );
});

test.each([
  ['a"b\\c', "a%22b%5Cc"],
  ["a\r\nSet-Cookie: x=1", "a%0D%0ASet-Cookie%3A%20x%3D1"],
  ["é😀", "%C3%A9%F0%9F%98%80"],
  ["\ud800", "%EF%BF%BD"],
  ["x".repeat(41), `${"x".repeat(40)}%E2%80%A6`],
  ["😀".repeat(500), `${"%F0%9F%98%80".repeat(40)}%E2%80%A6`],
])("%j is encoded as %s", (name, text) => {
  expect(noticeHeader([unknown(name)])).toBe(`unknown-parameter;name="${text}"`);
});

test("if not all notices fit into the header, its last item has the number of omitted notices", () => {
  const header = noticeHeader(Array.from({ length: 5_000 }, (_, index) => unknown(`parameter_${index}`))) ?? "";
  const items = header.split(", ");
  expect(header.length).toBeLessThanOrEqual(1_050);
  expect(items[0]).toBe('unknown-parameter;name="parameter_0"');
  expect(items.at(-1)).toBe(`more;count=${5_000 - items.length + 1}`);
});
