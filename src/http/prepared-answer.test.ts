import { describe, expect, test } from "vitest";
import { preparedAnswer, TEXT_BYTES_MAX } from "./prepared-answer.js";

test("the head is the status line and the headers in their order", () => {
  const { prepared } = preparedAnswer(304, { ETag: '"t"', Vary: "Origin" }, undefined);
  const head = 'HTTP/1.1 304 Not Modified\r\nX-Content-Type-Options: nosniff\r\nETag: "t"\r\nVary: Origin\r\n';
  expect(prepared).toEqual({ head, text: undefined });
});

describe("the text of a body", () => {
  test.each([
    ["the text is kept for a small ASCII body", "a".repeat(TEXT_BYTES_MAX), true],
    ["the text is not kept for a body that is a byte too large", "a".repeat(TEXT_BYTES_MAX + 1), false],
    ["the text is not kept for a body beyond ASCII", "é", false],
  ])("%s", (_, body, isText) => {
    const { prepared } = preparedAnswer(200, {}, Buffer.from(body));
    expect(prepared?.text).toBe(isText ? body : undefined);
  });
});

test.each([
  [{ "Bad Name": "x" }, "ERR_INVALID_HTTP_TOKEN"],
  [{ Good: "a\r\nInjected: b" }, "ERR_INVALID_CHAR"],
  [{ Good: "名" }, "ERR_INVALID_CHAR"],
])("a header that cannot be sent is refused: %j", (headers, code) => {
  expect(() => preparedAnswer(200, headers, undefined)).toThrow(expect.objectContaining({ code }));
});
