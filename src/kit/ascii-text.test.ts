import fc from "fast-check";
import { expect, test } from "vitest";
import { AsciiText } from "./ascii-text.js";

const number = fc.oneof(
  fc.nat({ max: 20 }),
  fc.maxSafeNat(),
  fc.constantFrom(999_999_999, 1_000_000_000, 2 ** 31, 2 ** 53 - 1),
);
const piece = fc.string({ unit: fc.constantFrom("a", ";", " ", "\r", "9"), maxLength: 60 });

test("the text consists of its pieces and the decimal digits of its numbers, in order", () => {
  const text = new AsciiText();
  fc.assert(
    fc.property(fc.array(fc.oneof(number, piece), { maxLength: 20 }), (parts) => {
      for (const part of parts) {
        if (typeof part === "number") text.addNumber(part);
        else text.add(Buffer.from(part));
      }
      expect(text.take()).toBe(parts.join(""));
    }),
  );
});

test("a text that is too long is refused, whatever the length of its pieces", () => {
  for (const length of [10, 100]) {
    const text = new AsciiText();
    const add = () => {
      for (let added = 0; added <= 4_096; added += length) text.add(Buffer.alloc(length, "x"));
    };
    expect(add).toThrow(RangeError);
  }
});
