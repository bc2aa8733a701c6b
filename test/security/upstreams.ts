import type { RequestListener } from "node:http";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect } from "vitest";
import { HOUR_MS } from "../../src/kit/clock.js";
import { ANSWER_BYTES_MAX } from "../../src/upstream/answer.js";
import { json, type Stack, startStack } from "../support/stack.js";
import type { Attack, Risk } from "./attack.js";
import { type Canary, openCanary } from "./canary.js";
import { CPI } from "./house.js";

/** One byte more than the limit of the attacked source. Compressed, this is only a few kilobytes. */
const zeros = Buffer.alloc(ANSWER_BYTES_MAX + 1);
const YIELDS = "us-treasury-yields";

/** Runs `use` with a service whose requests to upstreams all go to one hostile server. */
async function withHostile(
  datasets: readonly string[],
  listener: RequestListener,
  use: (stack: Stack, hostile: Canary) => Promise<void>,
): Promise<void> {
  const hostile = await openCanary(listener);
  const stack = await startStack({ datasets, upstreamBase: hostile.origin });
  try {
    await use(stack, hostile);
  } finally {
    await stack.close();
    hostile.close();
  }
}

/**
 * Declares an attack in which an upstream answers with hostile bodies. The run must fail with an error that matches
 * `reason`, and the service must still answer.
 */
function body(
  name: string,
  attack: string,
  defence: string,
  dataset: string,
  bodies: readonly (readonly [headers: Readonly<Record<string, string>>, body: () => string | Buffer])[],
  reason: RegExp,
): Attack {
  return {
    name,
    attack,
    defence,
    async run() {
      let answer: { readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer };
      const listener: RequestListener = (_request, response) => {
        response.writeHead(200, answer.headers).end(answer.body);
      };
      await withHostile([dataset], listener, async (stack, hostile) => {
        for (const [headers, content] of bodies) {
          answer = { headers, body: content() };
          const before = hostile.requests.length;
          expect((await stack.run(dataset)).outcome).toBe("failed");
          expect(hostile.requests.length).toBeGreaterThan(before);
          const { datasets } = json(await stack.get("/api/health")) as { readonly datasets: unknown };
          expect(JSON.stringify(datasets)).toMatch(reason);
          // After failures, the service sends no requests to the host for a while.
          stack.clock.advance(HOUR_MS);
        }
      });
    },
  };
}

const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("");
const feedOf = (declarations: string): string =>
  `<?xml version="1.0"?><!DOCTYPE feed [${declarations}]><feed xmlns="http://www.w3.org/2005/Atom"><title>&l9;</title></feed>`;

export const upstreams: Risk = {
  id: "API10",
  title: "Unsafe consumption of APIs",
  attacks: [
    body(
      "a body that decompresses to more than its limit is refused",
      "Answer with a gzip or brotli bomb",
      "Bytes are counted while they are unpacked, and reading stops at the limit of the source",
      "earthquakes",
      [
        [{ "content-encoding": "gzip" }, () => gzipSync(zeros)],
        [{ "content-encoding": "br" }, () => brotliCompressSync(zeros, { params: { 1: 1 } })],
        [{ "content-encoding": "gzip, gzip" }, () => gzipSync(gzipSync(zeros))],
      ],
      /larger than|MB/,
    ),
    body(
      "a document that declares its own entities is refused",
      "Answer with an entity bomb, or with entities that name a file or another address",
      "XML with entity declarations is refused, and no external entity or document type is ever loaded",
      YIELDS,
      [
        [{ "content-type": "application/xml" }, () => feedOf(`<!ENTITY l0 "ha">${laughs}`)],
        [{ "content-type": "application/xml" }, () => feedOf(`<!ENTITY l9 SYSTEM "file:///etc/passwd">`)],
        [{ "content-type": "application/xml" }, () => feedOf(`<!ENTITY l9 SYSTEM "http://127.0.0.1:1/">`)],
      ],
      /declares its own entities/,
    ),
    body(
      "a document nested too deeply is refused",
      "Answer with 100,000 nested elements",
      "Depth is limited, and decoders do not recurse",
      YIELDS,
      [[{ "content-type": "application/xml" }, () => `<feed>${"<entry>".repeat(100_000)}`]],
      /levels/,
    ),
    {
      name: "a redirect to a private address is refused",
      attack: "Redirect a request of the service to this machine or the metadata of a cloud",
      defence: "Every address in a chain of redirects is checked like the first",
      async run() {
        const canary = await openCanary();
        const { port } = new URL(canary.origin);
        try {
          let location = "";
          const redirect: RequestListener = (_request, response) => void response.writeHead(302, { location }).end();
          const locations = [
            canary.origin,
            `http://localhost:${port}/`,
            `http://[::ffff:127.0.0.1]:${port}/`,
            `http://2130706433:${port}/`,
            "http://169.254.169.254/latest/meta-data/",
            "file:///etc/passwd",
          ];
          await withHostile(["us-cpi"], redirect, async (stack, hostile) => {
            for (const target of locations) {
              location = target;
              const before = hostile.requests.length;
              expect([location, (await stack.run("us-cpi")).outcome]).toEqual([location, "failed"]);
              expect(hostile.requests.length).toBeGreaterThan(before);
              stack.clock.advance(HOUR_MS);
            }
          });
          expect(canary.requests).toHaveLength(0);
        } finally {
          canary.close();
        }
      },
    },
    {
      name: "the stored answer is still served if an upstream fails or sends invalid data",
      attack: "Answer with errors, truncated bodies, HTML pages or unexpected columns",
      defence:
        "A run that fails a check does not change the stored data; the stored data is still served, marked with its state",
      async run({ send, stack, attacker }) {
        const before = await send(CPI, { headers: attacker.by });
        for (const fault of [
          { kind: "status", code: 500 },
          { kind: "cut", afterRatio: 0.5 },
          { kind: "html" },
          { kind: "blank" },
          { kind: "changed" },
          { kind: "down" },
        ] as const) {
          stack.simulator.faults.set({ upstream: "*" }, fault);
          expect([fault.kind, (await stack.run("us-cpi")).outcome]).toEqual([fault.kind, "failed"]);
        }
        stack.simulator.faults.clear();
        const after = await send(CPI, { headers: attacker.by });
        expect([after.status, after.body]).toEqual([200, before.body]);
      },
    },
    {
      name: "an upstream's texts are served as plain text, and its links only if they are web links",
      attack: "Publish headlines that contain scripts, and links that are not web links",
      defence: "Markup is removed from texts, and only http and https links are served",
      async run() {
        const at = new Date(Date.UTC(2026, 10, 18, 11)).toUTCString();
        const item = (title: string, link: string): string =>
          `<item><title>${title}</title><link>${link}</link><pubDate>${at}</pubDate></item>`;
        const feed = `<rss version="2.0"><channel><title>x</title>${[
          item("Climate &lt;script&gt;alert(1)&lt;/script&gt; emissions rise", "https://news.example/1"),
          item("Climate emissions fall again", "javascript:alert(2)"),
          item("Climate emissions stay level", "data:text/html,x"),
        ].join("")}</channel></rss>`;
        const listener: RequestListener = (_request, response) =>
          void response.writeHead(200, { "content-type": "application/rss+xml" }).end(feed);
        await withHostile(["climate-news"], listener, async (stack, hostile) => {
          await stack.run("climate-news");
          expect(hostile.requests.length).toBeGreaterThan(0);
          const served = await stack.get("/api/climate/v1/list-climate-news");
          expect(served.status).toBe(200);
          const { items } = json(served) as { readonly items: readonly { title: string; url: string }[] };
          expect(items.map(({ title, url }) => [title, url])).toEqual([
            ["Climate emissions rise", "https://news.example/1"],
          ]);
          expect(String(served.body)).not.toMatch(/<script|javascript:|data:text/);
        });
      },
    },
  ],
};
