import { expect, test } from "vitest";
import { replyTo } from "./reply.js";

const page = { status: 200, contentType: "text/plain", body: "hello", etag: true, lastModifiedAt: 1_700_000_000_500 };
const etag = replyTo({}, page).headers["ETag"] ?? "";
const modified = "Tue, 14 Nov 2023 22:13:20 GMT";

test("a reply has only the validators that the upstream sends", () => {
  expect(replyTo({}, page).headers).toEqual({ "Content-Type": "text/plain", ETag: etag, "Last-Modified": modified });
  const bare = { status: 200, contentType: "text/plain", body: "hello" };
  expect(replyTo({ "if-none-match": "*" }, bare)).toMatchObject({
    status: 200,
    headers: { "Content-Type": "text/plain" },
  });
});

test.each([
  [{ "if-none-match": etag }, 304],
  [{ "if-none-match": `"other", W/${etag}` }, 304],
  [{ "if-none-match": "*" }, 304],
  [{ "if-none-match": '"other"' }, 200],
  [{ "if-none-match": '"other"', "if-modified-since": modified }, 200],
  [{ "if-modified-since": modified }, 304],
  [{ "if-modified-since": "Tue, 14 Nov 2023 22:13:19 GMT" }, 200],
  [{ "if-modified-since": "yesterday" }, 200],
])("a request with %j gets a %i", (headers, status) => {
  expect(replyTo(headers, page).status).toBe(status);
});

test("an error never becomes a 304", () => {
  expect(replyTo({ "if-none-match": "*" }, { ...page, status: 404 }).status).toBe(404);
});
