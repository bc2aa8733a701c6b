import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Feed } from "../feeds/read-feed.js";
import { decode } from "./decode.js";
import { type LocalServer, localClient, requestTo, serve, serveAlways, signalled } from "./testing/local-servers.js";

const MB = 1_000_000;
/** The limits of a feed catalogue, with a small size limit. */
const limits = { format: { kind: "feed" }, timeoutMs: 8_000, bytesMax: 500_000 } as const;
/** Maximum number of bytes that socket buffers hold between a writing server and a client that has disconnected. */
const IN_FLIGHT_BYTES = 16 * MB;

const item = `<item><title>Ice and snow</title><link>https://news.test/a</link><description>${"word ".repeat(40)}</description></item>`;
const feedOf = (items: string): string => `<rss version="2.0"><channel><title>News</title>${items}</channel></rss>`;

/** Fetches and reads the feed of a server as an ingest run does. */
async function feedFrom(server: LocalServer, more: { readonly bytesMax?: number } = {}): Promise<Feed> {
  const { client } = localClient([server.origin()]);
  const { bytes, contentType, url } = await client.fetch(requestTo(`${server.origin()}/rss`, { ...limits, ...more }));
  return decode(bytes, { kind: "feed" }, { contentType, url });
}

describe("a feed of 50 MB", () => {
  const chunk = Buffer.from(item.repeat(200));

  it("a feed is cut off at the size limit, and its server stops sending", async () => {
    const { happened, tell } = signalled();
    let sentBytes = 0;
    const server = await serve((_request, response) => {
      response.on("close", tell);
      response.write(feedOf("").slice(0, 60));
      const more = (): void => {
        if (response.destroyed) return;
        if (sentBytes >= 50 * MB) return void response.end();
        sentBytes += chunk.length;
        response.write(chunk, more);
      };
      more();
    });
    await expect(feedFrom(server)).rejects.toThrow("the body is larger than 500000 bytes; expected at most that");
    await happened;
    expect(sentBytes).toBeLessThan(IN_FLIGHT_BYTES);
  });

  it("a feed with a Content-Length beyond the limit is not read", async () => {
    const { happened, tell } = signalled();
    const server = await serve((_request, response) => {
      response.on("close", tell);
      response.writeHead(200, { "content-length": String(50 * MB) }).flushHeaders();
    });
    await expect(feedFrom(server)).rejects.toThrow("larger than 500000 bytes");
    await happened;
  });

  it.each([
    ["gzip", gzipSync],
    ["br", (text: Buffer) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ] as const)("a large feed in a small %s body is cut off while it is unpacked", async (encoding, compress) => {
    const packed = compress(Buffer.from(feedOf(item.repeat(Math.ceil((50 * MB) / item.length)))));
    expect(packed.length).toBeLessThan(limits.bytesMax);
    const server = await serveAlways(200, { "content-encoding": encoding }, packed);
    await expect(feedFrom(server)).rejects.toThrow("larger than 500000 bytes");
  });
});

it("a feed that arrives byte by byte is cut off at the time limit, and its connection is closed", async () => {
  const dripping = signalled();
  const closed = signalled();
  const text = Buffer.from(feedOf(item));
  let sentBytes = 0;
  const server = await serve((_request, response) => {
    response.on("close", closed.tell);
    // After the document, white space follows without end, so the body is never complete.
    const drip = (): void => {
      if (response.destroyed) return;
      sentBytes += 1;
      if (sentBytes === 100) dripping.tell();
      response.write(sentBytes < text.length ? text.subarray(sentBytes - 1, sentBytes) : " ", () => setImmediate(drip));
    };
    drip();
  });
  const { client, clock } = localClient([server.origin()]);
  const failed = expect(client.fetch(requestTo(`${server.origin()}/rss`, limits))).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("no complete answer within 8000 ms"),
  });
  await dripping.happened;
  clock.advance(7_999);
  expect(clock.sleeping).toBe(1);
  clock.advance(1);
  await failed;
  await closed.happened;
  expect(sentBytes).toBeLessThan(limits.bytesMax);
});

it("a feed with endless redirects fails after five", async () => {
  const server = await serve(({ url }, response) => void response.writeHead(302, { location: `${url}x` }).end());
  await expect(feedFrom(server)).rejects.toThrow("redirected more than 5 times");
  expect(server.requests.map(({ url }) => url)).toEqual([
    "/rss",
    "/rssx",
    "/rssxx",
    "/rssxxx",
    "/rssxxxx",
    "/rssxxxxx",
  ]);
});

describe("entities", () => {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("");
  const bomb = `<!DOCTYPE rss [<!ENTITY l0 "ha">${laughs}]>${feedOf("<item><title>&l9;</title></item>")}`;

  it.each([
    ["that multiply", bomb],
    ["that repeat a long string", bomb.replace('"ha"', `"${"ha".repeat(50_000)}"`)],
    ["from a file", bomb.replace('l0 "ha"', 'l0 SYSTEM "file:///etc/passwd"')],
    ["from another address", bomb.replace('l0 "ha"', 'l0 SYSTEM "http://feeds.test/evil"')],
    ["as parameters", bomb.replace('l0 "ha"', '% p SYSTEM "http://feeds.test/evil"> %p; <!ENTITY l0 "ha"')],
    ["declared in lower case", bomb.replaceAll("<!ENTITY", "<!entity")],
  ])("entities %s are refused without another request", async (_, body) => {
    const server = await serveAlways(200, { "content-type": "application/rss+xml" }, body);
    await expect(feedFrom(server)).rejects.toMatchObject({
      kind: "changed",
      message: expect.stringContaining("declares its own entities"),
    });
    expect(server.requests).toHaveLength(1);
  });

  it("an external document type definition is not requested", async () => {
    const body = `<!DOCTYPE rss SYSTEM "http://feeds.test/rss.dtd">${feedOf("<item><title>&evil; a &eacute;</title></item>")}`;
    const server = await serveAlways(200, {}, body);
    expect((await feedFrom(server)).items).toMatchObject([{ title: "a é" }]);
    expect(server.requests).toHaveLength(1);
  });

  it("a feed with an article that quotes an entity declaration is read", async () => {
    const server = await serveAlways(
      200,
      {},
      feedOf("<item><title>XXE</title><description><![CDATA[Write <!ENTITY x 'y'> here]]></description></item>"),
    );
    expect((await feedFrom(server)).items).toMatchObject([{ title: "XXE" }]);
  });
});

describe("a feed built to be slow to read takes bounded time", () => {
  const bytesMax = 40 * MB;
  const refused: readonly (readonly [string, () => string, string])[] = [
    ["201 levels", () => feedOf(`<x>${nested(198)}</x>`), "more than 200 levels"],
    ["100,000 nested elements", () => feedOf("<item>".padEnd(300_006, "<a>")), "more than 200 levels"],
    ["nested closed elements", () => feedOf(`<x>${nested(1e5)}</x>`), "more than 200 levels"],
    ["100,000 open comments", () => feedOf("<!--".repeat(1e5)), "breaks off inside the element channel"],
    ["100,000 open CDATA sections", () => feedOf(`<item><title>${"<![CDATA[".repeat(1e5)}`), "breaks off inside"],
    ["an attribute that never ends", () => feedOf(`<item a='${"b=c ".repeat(1e5)}`), "breaks off inside"],
    ["JSON of 1,000,000 levels", () => `{"items":${"[".repeat(1e6)}`, "not complete, valid JSON"],
  ];
  it.each(refused)("a feed with %s is refused", async (_, body, sentence) => {
    const server = await serveAlways(200, {}, body());
    await expect(feedFrom(server, { bytesMax })).rejects.toThrow(sentence);
  });

  const read: readonly (readonly [string, () => string, number, number])[] = [
    ["200 levels", () => feedOf(`<item><title>a</title></item><x>${nested(197)}</x>`), 1, 1],
    ["100,000 tiny items", () => feedOf("<item><title>a</title></item>".repeat(1e5)), 500, 1e5],
    ["50,000 attributes", () => feedOf(`<item ${numbered((at) => `a${at}="1"`)}><title>a</title></item>`), 1, 1],
    ["50,000 namespaces", () => feedOf(`<item ${numbered((at) => `xmlns:a${at}="x"`)}><title>a</title></item>`), 1, 1],
    ["50,000 names", () => feedOf(`<item><title>a</title>${numbered((at) => `<a${at}/>`)}</item>`), 1, 1],
    ["50,000 titles", () => feedOf(`<item>${numbered((at) => `<title>${at}</title>`)}</item>`), 1, 1],
    ["50,000 empty titles", () => feedOf(`<item><title>a</title>${"<title/>".repeat(5e4)}</item>`), 1, 1],
    [
      "50,000 links",
      () => feedOf(`<item><title>a</title>${'<atom:link href="javascript:x"/>'.repeat(5e4)}</item>`),
      1,
      1,
    ],
    ["50,000 sections in a title", () => feedOf(`<item><title>${"a<![CDATA[b]]>".repeat(5e4)}</title></item>`), 1, 1],
    ["50,000 comments in a title", () => feedOf(`<item><title>a${"<!--b-->".repeat(5e4)}</title></item>`), 1, 1],
    ["1,000,000 references in a title", () => feedOf(`<item><title>${"&amp;".repeat(1e6)}</title></item>`), 1, 1],
    ["1,000,000 brackets", () => feedOf(`<item><title>${"< ".repeat(1e6)}</title></item>`), 1, 1],
    ["a title of 30 MB", () => feedOf(`<item><title>${"a".repeat(3e7)}</title></item>`), 1, 1],
  ];
  it.each(read)("a feed with %s is read", async (_, body, items, itemsTotal) => {
    const server = await serveAlways(200, {}, body());
    const feed = await feedFrom(server, { bytesMax });
    expect([feed.items.length, feed.itemsTotal]).toEqual([items, itemsTotal]);
  });

  it("a feed beyond the size limit is refused before it is parsed", async () => {
    const server = await serveAlways(200, {}, feedOf("<item/>".repeat(1e6)));
    await expect(feedFrom(server)).rejects.toThrow("larger than 500000 bytes");
  });
});

const nested = (levels: number): string => "<a>".repeat(levels) + "</a>".repeat(levels);

function numbered(write: (at: number) => string): string {
  return Array.from({ length: 50_000 }, (_, at) => write(at)).join(" ");
}
