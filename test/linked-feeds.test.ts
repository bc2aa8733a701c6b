import { afterAll, beforeAll, expect, test } from "vitest";
import type { Feed } from "../src/contract/feed.js";
import { linkedFeed } from "../src/contract/linked-feed.js";
import { text } from "../src/contract/query-field.js";
import { post } from "./support/accounts.js";
import { call, json, NOON, type Stack, startStack } from "./support/stack.js";

const PATH = "/api/probe/v1/get-probe-feed";
const LINK = `${PATH}?token=right`;

const feed: Feed = {
  id: "urn:vigil:probe",
  title: "Probe",
  description: "Entries of a probe",
  updatedAt: NOON,
  isSimulated: true,
  entries: [{ id: "urn:vigil:probe:1", title: "First", text: "One", link: "/api/health", at: NOON }],
};

const probeFeed = linkedFeed({
  rpc: "get-probe-feed",
  summary: "A probe",
  description: "A feed for callers with the right token.",
  uses: {},
  query: { token: text("Its token") },
  run: async ({ token }) => (token === "right" ? feed : undefined),
});

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: [], linkedFeeds: [{ service: "probe", path: PATH, feed: probeFeed }] });
});
afterAll(() => stack.close());

const get = (target: string, headers: Readonly<Record<string, string>> = {}) => stack.get(target, headers);

test("a feed is Atom by default, the format parameter can select JSON Feed, and callers need no key", async () => {
  const atom = await get(LINK);
  expect([atom.status, atom.headers["Content-Type"]]).toEqual([200, "application/atom+xml; charset=utf-8"]);
  expect(String(atom.body)).toMatch(/^<\?xml version="1.0" encoding="utf-8"\?>\n<feed/);
  const jsonFeed = await get(`${LINK}&format=jsonfeed`);
  expect([jsonFeed.status, jsonFeed.headers["Content-Type"]]).toEqual([200, "application/feed+json; charset=utf-8"]);
  expect(json(jsonFeed)).toMatchObject({
    title: "[simulated] Probe",
    feed_url: `http://127.0.0.1:8787${LINK}&format=jsonfeed`,
    items: [{ url: "http://127.0.0.1:8787/api/health", content_text: "One" }],
  });
});

test.each([
  ["", undefined, "atom"],
  ["", "*/*", "atom"],
  ["", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "atom"],
  ["", "application/json", "atom"],
  ["", "application/feed+json", "feed"],
  ["", "application/feed+json, application/atom+xml;q=0.9", "feed"],
  ["", "application/feed+json;q=0.5, application/atom+xml", "atom"],
  ["&format=atom", "application/feed+json", "atom"],
  ["&format=jsonfeed", "application/atom+xml", "feed"],
  ["&format=json", undefined, "feed"],
])(
  'with "%s" in the query and Accept: %s, the media type begins with application/%s+',
  async (format, accept, type) => {
    const { headers } = await get(LINK + format, accept === undefined ? {} : { accept });
    expect(headers["Content-Type"]).toMatch(new RegExp(`^application/${type}\\+`));
    expect(headers["Vary"]).toBe("Accept, Origin");
  },
);

test("a format that is not a feed format is refused, and the violation names the valid formats", async () => {
  const answer = await get(`${LINK}&format=csv`);
  expect([answer.status, json(answer)]).toEqual([
    400,
    { violations: [{ field: "format", description: "must be one of atom, jsonfeed here: the answer is a feed" }] },
  ]);
});

test("a reader that already has the feed gets a 304, and shared caches must not keep the feed", async () => {
  const first = await get(LINK);
  expect(first.headers).toMatchObject({ "Cache-Control": "private, no-cache", "Referrer-Policy": "no-referrer" });
  const etag = first.headers["ETag"] ?? "";
  const again = await get(LINK, { "if-none-match": etag });
  expect([again.status, again.body, again.headers["ETag"]]).toEqual([304, undefined, etag]);
  expect((await get(`${LINK}&format=jsonfeed`, { "if-none-match": etag })).status).toBe(200);
});

test("a wrong token is a 404, with or without a key", async () => {
  expect((await get(`${PATH}?token=wrong`)).status).toBe(404);
  expect((await get(PATH)).status).toBe(404);
  expect((await stack.get(`${PATH}?token=wrong`)).status).toBe(404);
});

test.each([
  ["format=pdf", "format"],
  ["jmespath=a", "jmespath"],
  ["as_of=1", "asOf"],
])("%s is refused", async (pair, field) => {
  const answer = await get(`${LINK}&${pair}`);
  expect(answer.status).toBe(400);
  expect(json(answer)).toMatchObject({ violations: [{ field }] });
});

test("a feed refuses POST, and a batch cannot read it", async () => {
  expect((await call(stack.answer, "POST", LINK, {})).status).toBe(405);
  const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  const batch = await post(stack.answer, "/api/batch/v1/execute", { operations: [{ id: "a", path: LINK }] }, headers);
  expect(json(batch)).toMatchObject({ results: [{ id: "a", status: 400 }] });
});
