import fc from "fast-check";
import { expect, test } from "vitest";
import { AsciiForm } from "./ascii-form.js";

const number = fc.oneof(
  fc.nat({ max: 20 }),
  fc.maxSafeNat(),
  fc.constantFrom(9, 10, 99, 100, 999_999_999, 1_000_000_000, 2 ** 31, 2 ** 53 - 1),
);
const piece = fc.string({ unit: fc.constantFrom("a", ";", " ", "\r", "9"), maxLength: 60 });

test("a filled form consists of its pieces and the decimal digits of its numbers, regardless of earlier fills", () => {
  const form = fc.integer({ min: 0, max: 6 }).chain((numbersCount) =>
    fc.record({
      pieces: fc.array(piece, { minLength: numbersCount + 1, maxLength: numbersCount + 1 }),
      fillings: fc.array(fc.array(number, { minLength: numbersCount, maxLength: numbersCount }), { minLength: 1 }),
    }),
  );
  fc.assert(
    fc.property(form, ({ pieces, fillings }) => {
      const asciiForm = new AsciiForm(pieces);
      for (const numbers of fillings) {
        const expected = pieces.map((text, at) => text + (numbers[at] ?? ""));
        expect(asciiForm.filled(numbers)).toBe(expected.join(""));
      }
    }),
  );
});

test("if the width of one or more numbers changes, the text after them moves", () => {
  const form = new AsciiForm(["a", "b", "c"]);
  const fillings = [
    [1, 2],
    [1, 9],
    [1, 10],
    [3, 10],
    [30, 1],
    [30, 1],
  ];
  expect(fillings.map((numbers) => form.filled(numbers))).toEqual([
    "a1b2c",
    "a1b9c",
    "a1b10c",
    "a3b10c",
    "a30b1c",
    "a30b1c",
  ]);
});
