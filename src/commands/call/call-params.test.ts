import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bodyIn, bodyParams, queryParams } from "./call-params.js";

test("the parameters of a GET are strings, and a repeated name makes a list", () => {
  expect(queryParams(["airports=LHR", "airports=JFK", "jmespath=a=='b'", "history=true", "q="])).toEqual({
    airports: ["LHR", "JFK"],
    jmespath: "a=='b'",
    history: "true",
    q: "",
  });
});

test("members of a body are parsed as JSON where possible", () => {
  expect(
    bodyParams(["watchId=wch_1", "quietSeconds=60", 'definition={"name":"a"}', 'name="17"', "isActive=true"]),
  ).toEqual({ watchId: "wch_1", quietSeconds: 60, definition: { name: "a" }, name: "17", isActive: true });
});

test.each(["airports", "=LHR", ""])("--param %j is refused", (pair) => {
  expect(() => queryParams([pair])).toThrow(`--param must be name=value, got "${pair}"`);
});

test("a body is JSON or a file of JSON", () => {
  const file = join(mkdtempSync(join(tmpdir(), "vigil-body-")), "body.json");
  writeFileSync(file, '{"name":"Acme"}');
  expect(bodyIn('{"name":"Acme"}')).toEqual({ name: "Acme" });
  expect(bodyIn(`@${file}`)).toEqual({ name: "Acme" });
});

test.each([
  ["{", /^--body cannot be read as JSON: /],
  ["@/nowhere/body.json", /^\/nowhere\/body\.json cannot be read as JSON: ENOENT/],
  ["[1]", "--body must hold a JSON object"],
])("the body %j is refused", (text, sentence) => {
  expect(() => bodyIn(text)).toThrow(sentence);
});
