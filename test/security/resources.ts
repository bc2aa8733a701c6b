import { request } from "node:http";
import { expect } from "vitest";
import { mapValues } from "../../src/kit/map-values.js";
import { makeAccount, makeKey } from "../support/callers.js";
import { publishChanged } from "../support/published.js";
import type { Risk } from "./attack.js";
import { BATCH, COMPANIES, CPI, DISASTERS, type House, type Reply, WATCHES, watch } from "./house.js";

const KIB = 1_024;

/** Requests a projection of the CPI answer. */
function project({ send, attacker }: House, expression: string): Promise<Reply> {
  return send(`${CPI}?jmespath=${encodeURIComponent(expression)}`, { headers: attacker.by });
}

/** The status code in the status line of an answer. */
const statusIn = (bytes: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes)?.[1]);

async function statusOfQuery({ send, attacker }: House, query: string): Promise<number> {
  return (await send(`${DISASTERS}?${query}`, { headers: attacker.by })).status;
}

export const resources: Risk = {
  id: "API4",
  title: "Unrestricted resource consumption",
  attacks: [
    {
      name: "a body over 256 KB is refused, with and without Content-Length",
      attack: "Send a body of megabytes, with a Content-Length or in endless chunks",
      defence: "Bodies have a limit, at which reading stops and the connection closes",
      async run({ base, send, attacker }) {
        const large = await send(`${WATCHES}/create-watch`, {
          headers: attacker.by,
          body: Buffer.alloc(300 * KIB, "1"),
        });
        expect([large.status, large.body]).toEqual([413, '{"error":"payload_too_large"}']);
        const status = await new Promise<number | undefined>((resolve, reject) => {
          const headers = { ...attacker.by, "content-type": "application/json", "transfer-encoding": "chunked" };
          const endless = request(`${base}${WATCHES}/create-watch`, { method: "POST", headers }, (response) => {
            resolve(response.statusCode);
            endless.destroy();
          });
          // The service may close the connection while chunks are still being sent.
          endless.on("error", (error: NodeJS.ErrnoException) => {
            if (!["ECONNRESET", "EPIPE"].includes(error.code ?? "")) reject(error);
          });
          const more = (): void => {
            while (!endless.destroyed && endless.write(Buffer.alloc(64 * KIB, "1")));
            if (!endless.destroyed) endless.once("drain", more);
          };
          more();
        });
        expect(status).toBe(413);
      },
    },
    {
      name: "deeply nested JSON is refused without harm",
      attack: "Send a body of 100,000 nested lists or 25,000 nested objects",
      defence: "Bodies are parsed by `JSON.parse`, not by recursive code of the service, and validated by schema",
      async run({ send, attacker }) {
        const deep = 100_000;
        for (const body of [
          "[".repeat(deep) + "]".repeat(deep),
          `${'{"a":'.repeat(deep / 4)}1${"}".repeat(deep / 4)}`,
          `{"company":${"[".repeat(deep) + "]".repeat(deep)}}`,
          `{"company":{"name":${"[".repeat(deep) + "]".repeat(deep)}}}`,
        ]) {
          const reply = await send(`${COMPANIES}/create-monitored-company`, { headers: attacker.by, body });
          expect([body.slice(0, 30), reply.status]).toEqual([body.slice(0, 30), 400]);
        }
      },
    },
    {
      name: "a batch has at most 20 items and cannot contain a batch",
      attack: "Multiply a call by long or nested batches",
      defence: "A batch has at most 20 items, nested batches are refused, and each item counts against the limits",
      async run({ send, attacker }) {
        const batchOf = async (operations: readonly object[]) =>
          send(BATCH, { headers: attacker.by, body: { operations } });
        const items = (count: number, path: string) =>
          Array.from({ length: count }, (_, at) => ({ id: `${at}`, path }));
        expect((await batchOf(items(21, CPI))).status).toBe(400);
        expect((await batchOf(items(50_000, "/"))).status).toBeGreaterThanOrEqual(400);
        const nested = await batchOf(items(1, BATCH));
        expect(JSON.parse(nested.body).results).toMatchObject([{ status: 0, error: "nested_batch" }]);
        const before = Number((await send(CPI, { headers: attacker.by })).headers["ratelimit-remaining"]);
        await batchOf(items(20, CPI));
        const after = Number((await send(CPI, { headers: attacker.by })).headers["ratelimit-remaining"]);
        expect(before - after).toBe(21);
      },
    },
    {
      name: "page sizes are clamped or refused",
      attack: "Request a page of two billion rows, of a negative size, or of a size that is not a whole number",
      defence: "Sizes above the maximum are reduced to it; invalid sizes are refused",
      async run(house) {
        const { send, stack, attacker } = house;
        // The demo has fewer disasters than a page may have, so each of them is published three times.
        await publishChanged<{ readonly id: string; readonly name: string }>(stack, "climate-disasters", (records) =>
          mapValues(records, (rows) =>
            rows.flatMap((row) =>
              [1, 2, 3].map((copy) => ({ ...row, id: `${row.id}-${copy}`, name: `Event ${copy}` })),
            ),
          ),
        );
        const { body } = await send(`${DISASTERS}?page_size=2147483647`, { headers: attacker.by });
        const { disasters, pagination } = JSON.parse(body);
        expect([disasters.length, pagination.totalCount > 100]).toEqual([100, true]);
        const refused = ["-1", "1e9", "0x7fffffff", "NaN", "1.5"];
        for (const size of refused)
          expect([size, await statusOfQuery(house, `page_size=${size}`)]).toEqual([size, 400]);
      },
    },
    {
      name: "a costly projection is refused, and its cost counts against the account's budget per minute",
      attack: "Send an expression whose result grows without bound, or one that is longer than allowed",
      defence: "The length, work and result size of an expression are limited, and so is an account's work per minute",
      async run(house) {
        const tower = `[months,months]${".[@,@][]".repeat(40)}`;
        for (const expression of [
          `'${"a".repeat(1_100)}'`,
          tower,
          `${"[@,@]|".repeat(100)}@`,
          `sort_by(months, &to_string(@))${"|[@,@]".repeat(60)}`,
        ]) {
          const reply = await project(house, expression);
          expect([expression.slice(0, 40), reply.status]).toEqual([expression.slice(0, 40), 400]);
          expect(JSON.parse(reply.body)).toHaveProperty("_jmespath_error");
        }
        const statuses = new Set<number>();
        for (let tries = 0; tries < 60 && !statuses.has(429); tries += 1) {
          statuses.add((await project(house, `${tower}|[?@ == \`${tries}\`]`)).status);
        }
        expect([...statuses]).toEqual([400, 429]);
      },
    },
    {
      name: "a flood of headers is refused",
      attack: "Send 64 KB of headers, or thousands of them, or a target of 64 KB",
      defence: "The head of a request has at most 32 KB",
      async run({ sendRaw }) {
        const many = Array.from({ length: 5_000 }, (_, at) => `X-${at}: a\r\n`).join("");
        for (const [target, headers] of [
          [CPI, `X-Large: ${"a".repeat(64 * KIB)}\r\n`],
          [CPI, many],
          [`${CPI}?${"a".repeat(64 * KIB)}`, ""],
        ]) {
          expect(statusIn(await sendRaw(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`))).toBe(431);
        }
      },
    },
    {
      name: "a caller beyond its allowance gets 429 and the time to wait",
      attack: "Call without pause",
      defence: "Every account, key and address has an allowance in a sliding minute",
      async run({ stack, send }) {
        const key = await makeKey(stack, await makeAccount(stack, "starter"));
        const headers = { "x-service-key": key.key };
        const statuses: number[] = [];
        for (let calls = 0; calls < 61; calls += 1) statuses.push((await send(CPI, { headers })).status);
        expect(statuses).toEqual([...Array(60).fill(200), 429]);
        const refused = await send(CPI, { headers });
        expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      },
    },
    {
      name: "an account has a limited number of open streams",
      attack: "Open streams until connections run out",
      defence: "Streams are limited per account, and connections per address",
      async run({ base, attacker }) {
        const streams = await Promise.all(
          Array.from({ length: 5 }, async () => {
            const leave = new AbortController();
            const { status } = await fetch(`${base}${WATCHES}/stream-watch-firings`, {
              headers: attacker.by,
              signal: leave.signal,
            });
            return { status, leave };
          }),
        );
        for (const { leave } of streams) leave.abort();
        expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429]);
      },
    },
    {
      name: "a watch whose call is invalid or too long is refused when it is created",
      attack: "Store an expression or a call that is run again and again at the service's expense",
      defence: "The call and the expression of a watch are checked like those of a request, and their time is limited",
      async run({ send, attacker }) {
        for (const definition of [
          { ...watch, call: `${BATCH}?x=1` },
          { ...watch, call: "https://elsewhere.example/api/x" },
          { ...watch, call: `${watch.call}&jmespath=${"(".repeat(500)}` },
          { ...watch, call: `${watch.call}&${"a".repeat(20_000)}` },
        ]) {
          const { status } = await send(`${WATCHES}/create-watch`, { headers: attacker.by, body: definition });
          expect([definition.call.slice(0, 60), status]).toEqual([definition.call.slice(0, 60), 400]);
        }
      },
    },
  ],
};
