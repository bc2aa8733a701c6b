import { expect, test } from "vitest";
import { ConnectionError, ValidationError } from "../../src/sdk/index.js";
import { fieldFailures, otherFailureText } from "./field-failures.js";

const refused = (violations: unknown) =>
  new ValidationError({
    method: "POST",
    url: "http://vigil.example/",
    status: 400,
    code: undefined,
    reasons: [],
    retryAfterMs: undefined,
    requestId: undefined,
    body: { violations },
    headers: new Headers(),
  });

const failure = refused([
  { field: "company.name", description: "is required" },
  { field: "company.name", description: "must be a text" },
  { field: "rows", description: "has too many rows" },
]);

test("each field shows the reasons for its rejection, in sentences", () => {
  expect([...fieldFailures(failure)]).toEqual([
    ["company.name", "Is required. Must be a text."],
    ["rows", "Has too many rows."],
  ]);
});

test("violations that no field shows are shown for the whole form", () => {
  expect(otherFailureText(failure, (field) => field === "company.name")).toBe("rows has too many rows.");
  expect(otherFailureText(failure, () => true)).toBeUndefined();
  expect(otherFailureText(undefined, () => false)).toBeUndefined();
});

test("a failure without violations is shown as a whole, even if its body is broken", () => {
  expect(otherFailureText(new ConnectionError("gone"), () => true)).toContain("cannot be reached");
  expect(otherFailureText(refused("none"), () => true)).toBe("The service answered 400.");
  expect(fieldFailures(refused([{ field: 1 }])).size).toBe(0);
});
