import { expect, test } from "vitest";
import { headerOf, TOKEN_LENGTH_MAX } from "./compact-jws.js";

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const header = part({ alg: "ES256", kid: "one" });

test("the header of a string with three parts is read", () => {
  expect(headerOf(`${header}.e30.AA`)).toEqual({ alg: "ES256", kid: "one" });
});

test.each([
  ["no characters", ""],
  ["two parts", `${header}.e30`],
  ["four parts", `${header}.e30.AA.AA`],
  ["an empty part", `${header}.e30.`],
  ["padding", `${header}.e30=.AA`],
  ["white space", `${header}.e30.AA\n`],
  ["the alphabet of base64 instead of base64url", `${header}.e30.+/`],
  ["spare bits that are set", `${header}.e30.AB`],
  ["letters that are not ASCII", `${header}.é30.AA`],
  ["a header that is not JSON", "e3.e30.AA"],
  ["a header that is not an object", `${part(["alg"])}.e30.AA`],
  ["a header that is not UTF-8", `${Buffer.from('{"alg":"\xff"}', "latin1").toString("base64url")}.e30.AA`],
])("no header is read from a string with %s", (_, token) => {
  expect(headerOf(token)).toBeUndefined();
});

test("a string longer than the longest token is refused", () => {
  const room = TOKEN_LENGTH_MAX - `${header}..AA`.length;
  const longest = `${header}.${"A".repeat(room)}.AA`;
  expect(longest).toHaveLength(TOKEN_LENGTH_MAX);
  expect(headerOf(longest)).toBeDefined();
  expect(headerOf(`${header}.${"A".repeat(room + 1)}.AA`)).toBeUndefined();
});
