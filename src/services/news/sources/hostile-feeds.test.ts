import { describe, expect, test, vi } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { localClient, serve } from "../../../upstream/testing/local-servers.js";
import { topicFeeds as source } from "./news-feeds.js";

const due = [
  { id: "guardian-climate", url: "https://www.theguardian.com/environment/climate-crisis/rss", isStored: false },
];
const plan = { feeds: ["guardian-climate"], due };
const head =
  '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><link>https://x.test/</link><description>d</description>';
const item =
  "<item><title>a</title><link>https://x.test/a</link><pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate></item>";

describe("hostile feeds", () => {
  test("a feed of 50 MB that announces no length is cut off at the byte limit", async () => {
    let sent = 0;
    const megabyte = Buffer.from(item.repeat(10_000)).subarray(0, 1_000_000);
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/rss+xml" });
      response.write(head);
      const more = (): void => {
        while (!response.destroyed && sent < 50_000_000 && response.write(megabyte)) sent += megabyte.length;
        if (!response.destroyed && sent >= 50_000_000) response.end("</channel></rss>");
      };
      response.on("drain", more);
      more();
    });
    const { client } = localClient([server.origin()]);
    const request = { ...firstRequest(source, plan), url: `${server.origin()}/rss` };
    await expect(client.fetch(request)).rejects.toThrow("the body is larger than 2000000 bytes");
    expect(sent).toBeLessThan(50_000_000);
  });

  test("a feed that sends single bytes without end is cut off at the time limit", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/rss+xml" });
      response.write(head);
      const drip = setInterval(() => response.write(" "), 1);
      response.on("close", () => clearInterval(drip));
    });
    const { client, clock } = localClient([server.origin()]);
    const fetched = client.fetch({ ...firstRequest(source, plan), url: `${server.origin()}/rss` });
    const outcome = expect(fetched).rejects.toThrow("no complete answer within 8000 ms");
    await vi.waitUntil(() => server.requests.length === 1 && clock.sleeping > 0);
    const timers = clock.sleeping;
    clock.advance(7_999);
    // Every timer is still running, so the time limit has not passed.
    expect(clock.sleeping).toBe(timers);
    clock.advance(1);
    await outcome;
  });

  test("a feed that declares its own XML entities is refused before any of them is expanded", () => {
    const entities = Array.from(
      { length: 20 },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
    ).join("");
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "boom">${entities}]>${head.slice(21)}<item><title>&e20;</title></item></channel></rss>`;
    expect(failureOf(() => readBody(source, firstRequest(source, plan), bomb))).toMatchObject({
      kind: "changed",
      message: expect.stringContaining("declares its own entities"),
    });
  });

  test("a feed of ten thousand items is read only up to the item limit", () => {
    const reading = readBody(source, firstRequest(source, plan), `${head}${item.repeat(10_000)}</channel></rss>`);
    expect(reading.rowsRead).toBe(500);
  });
});
