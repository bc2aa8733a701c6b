import { expect, test } from "vitest";
import { savedAnswer } from "./saved-answer.js";

const read = (text: string) => {
  const { status, headers, content } = savedAnswer(Buffer.from(text, "latin1"));
  return { status, headers: Object.fromEntries(headers), content: content.toString("latin1") };
};

test("headers are found by lower-case name, in any order, and the space around their values is removed", () => {
  expect(read("HTTP/1.1 200 OK\r\nB: \t2 \t\r\nX-Vigil-State:ok\r\na:\r\n\r\n{}\r\n\r\nx: 1")).toEqual({
    status: 200,
    headers: { b: "2", "x-vigil-state": "ok", a: "" },
    content: "{}\r\n\r\nx: 1",
  });
});

test("the values of a repeated header are joined in order", () => {
  expect(read("HTTP/1.1 200 OK\r\nSignature: a=1\r\nVary: x\r\nsignature: b=2\r\n\r\n").headers).toEqual({
    signature: "a=1, b=2",
    vary: "x",
  });
});

test.each([
  ["lines that end with a line feed only", "HTTP/1.1 304 Not Modified\na: 1\n\n", 304],
  ["an HTTP/2 status line, which has no reason phrase,", "HTTP/2 200 \r\na: 1\r\n\r\n", 200],
  ["an HTTP/2 status line without a space after the status", "HTTP/2 200\r\na: 1\r\n\r\n", 200],
  [
    "interim answers before the final one",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nb: 2\r\n\r\nHTTP/1.1 200 OK\r\na: 1\r\n\r\n",
    200,
  ],
])("an answer with %s is read", (_, text, status) => {
  expect(read(text)).toEqual({ status, headers: { a: "1" }, content: "" });
});

test.each([
  ["", "its header block has no end"],
  ["\r\n\r\n", "no HTTP status line"],
  ["HTTP/1.1 20 OK\r\n\r\n", "no HTTP status line"],
  ["HTTP/1.1 200 OK\r\na: 1\r\n", "its header block has no end"],
  ["HTTP/1.1 200 OK\r\na: 1\r\n b\r\n\r\n", "a line in its header block is not a header"],
  ["HTTP/1.1 200 OK\r\na : 1\r\n\r\n", "a line in its header block is not a header"],
  ["HTTP/1.1 200 OK\r\n: 1\r\n\r\n", "a line in its header block is not a header"],
  ["HTTP/1.1 200 OK\r\na: 1\r2\r\n\r\n", "a line in its header block is not a header"],
  [`HTTP/1.1 200 OK\r\na: ${"1".repeat(70_000)}\r\n\r\n`, "its header block has no end"],
  ["HTTP/1.1 100 Continue\r\n\r\n", "its header block has no end"],
])("the text %j is refused", (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});
