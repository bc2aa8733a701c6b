import { expect } from "vitest";
import { call } from "../support/stack.js";
import type { Risk } from "./attack.js";
import { ACCOUNT, BATCH, CPI, FAILING, FAULT, type Headers, type House, type Reply } from "./house.js";

/** Calls whose answers are of every kind: data, documents, pages and refusals. */
const everyKind: readonly (readonly [target: string, byKey: boolean, status: number])[] = [
  [CPI, true, 200],
  [`${CPI}?history=maybe`, true, 400],
  [CPI, false, 401],
  [`${ACCOUNT}/list-accounts`, true, 403],
  ["/nowhere", true, 404],
  [BATCH, true, 405],
  [FAILING, true, 500],
  ["/", false, 200],
  ["/docs", false, 200],
  ["/docs/guide", false, 200],
  ["/sign-in", false, 200],
  ["/openapi.json", false, 200],
  ["/llms.txt", false, 200],
  ["/livez", false, 200],
  ["/.well-known/jwks.json", false, 200],
];

async function replies({ send, attacker }: House): Promise<readonly (readonly [string, number, Reply])[]> {
  const replied: (readonly [string, number, Reply])[] = [];
  for (const [target, byKey, status] of everyKind) {
    replied.push([
      target,
      status,
      await send(target, { headers: { accept: "text/html, */*", ...(byKey && attacker.by) } }),
    ]);
  }
  return replied;
}

/** Paths that leave the folder of documents, or of the console, on a careless server. */
const traversals = ["package.json", "SECURITY.md", "src/app/serve.ts", "etc/passwd", "owner.key", "vigil.db"].flatMap(
  (file) =>
    ["/docs/", "/docs/operations/", "/assets/", "/"].flatMap((folder) =>
      ["../", "../../../../../../", "..%2f..%2f", "%2e%2e/%2e%2e/", "..%252f", "..\\..\\", "....//", "/", ".%00/"].map(
        (up) => `${folder}${up}${file}`,
      ),
    ),
);

export const configuration: Risk = {
  id: "API8",
  title: "Security misconfiguration",
  attacks: [
    {
      name: "an unlisted origin is refused, however similar to an allowed one",
      attack: "Call from a page of another site, a look-alike host, another port or the origin `null`",
      defence: "Origins are compared as a whole; an unlisted one is refused before all else and gets no CORS header",
      async run({ send, attacker }) {
        for (const origin of [
          "https://evil.example",
          "null",
          "http://127.0.0.1:8787.evil.example",
          "http://127.0.0.1:8787@evil.example",
          "http://127.0.0.1:87870",
          "https://127.0.0.1:8787",
          "http://localhost",
          "HTTP://127.0.0.1:8787",
          "*",
        ]) {
          for (const method of ["GET", "OPTIONS"]) {
            const reply = await send(CPI, { method, headers: { ...attacker.by, origin } });
            expect([origin, reply.status, reply.body]).toEqual([origin, 403, '{"error":"Origin not allowed"}']);
            expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
          }
        }
        const own = await send(CPI, { headers: { ...attacker.by, origin: "http://127.0.0.1:8787" } });
        expect(own.headers["access-control-allow-origin"]).toBe("http://127.0.0.1:8787");
      },
    },
    {
      name: "every answer has the headers that protect browsers, and none that reveals the software",
      attack: "Have a browser guess the type of an answer, frame a page, run a script or cache an error",
      defence: "nosniff on all answers; no-store on errors; on pages, a policy that allows only the page's own scripts",
      async run(house) {
        for (const [target, status, reply] of await replies(house)) {
          const { headers } = reply;
          expect([target, reply.status]).toEqual([target, status]);
          expect([target, headers["x-content-type-options"]]).toEqual([target, "nosniff"]);
          for (const name of ["server", "x-powered-by", "via"]) expect(headers).not.toHaveProperty(name);
          if (status >= 400) expect([target, headers["cache-control"]]).toEqual([target, "no-store"]);
          if (!headers["content-type"]?.startsWith("text/html")) continue;
          expect([target, headers["content-security-policy"]]).toMatchObject([
            target,
            expect.stringMatching(/default-src '(?:none|self)'.*frame-ancestors 'none'/),
          ]);
          expect(headers["content-security-policy"]).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/);
          expect(headers["x-frame-options"]).toBe("DENY");
          expect(headers["referrer-policy"]).toBe("no-referrer");
        }
      },
    },
    {
      name: "an internal error shows the caller nothing but its request id",
      attack: "Provoke an internal error and read paths, queries or passwords from the answer",
      defence: "The answer is one generic sentence; the cause goes to the log under the request id",
      async run({ send, attacker }) {
        for (const accept of ["*/*", "text/html", "application/problem+json"]) {
          const reply = await send(FAILING, { headers: { ...attacker.by, accept } });
          expect(reply.status).toBe(500);
          expect(reply.headers["x-request-id"]).toMatch(/^[\w.-]+$/);
          for (const word of [...FAULT.split(" "), "Error:", "node_modules", ".ts:", ".js:"]) {
            if (word !== "at") expect([word, reply.body.includes(word)]).toEqual([word, false]);
          }
        }
      },
    },
    {
      name: "TRACE echoes nothing",
      attack: "Read a visitor's credentials from the answer that echoes a TRACE request",
      defence: "TRACE is refused like every method that a path does not declare",
      async run({ send, sendRaw, attacker }) {
        for (const target of [CPI, "/", "/docs/guide"]) {
          const reply = await send(target, { method: "TRACE", headers: attacker.by });
          expect([target, reply.status]).toEqual([target, 405]);
          expect(reply.body).not.toContain(attacker.key.key);
        }
        const raw = await sendRaw("TRACE * HTTP/1.1\r\nHost: x\r\nCookie: vigil_session=echoed\r\n\r\n");
        expect(raw).not.toContain("echoed");
      },
    },
    {
      name: "no path leads outside the served folders",
      attack:
        "Read files of the machine through the documents and the console, with dots, escapes, backslashes and NUL",
      defence: "Served files are listed at the start; a path that is not in the list is not looked up on disk",
      async run({ send, attacker }) {
        for (const target of traversals) {
          const reply = await send(target, { headers: attacker.by });
          expect([target, reply.status]).toEqual([target, 404]);
          expect([target, reply.body]).toEqual([target, '{"error":"Not found"}']);
        }
      },
    },
    {
      name: "a request that two servers could read differently is refused",
      attack: "Smuggle a second request with two lengths, a length and chunks, folded headers, or spaces before colons",
      defence: "Ambiguous requests are refused with 400, and their connection is closed",
      async run({ sendRaw }) {
        const head = `POST ${BATCH} HTTP/1.1\r\nHost: x\r\n`;
        const smuggled = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
        for (const request of [
          `${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${smuggled}`,
          `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
          `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
          `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
          `${head}X: a\r\n b\r\nContent-Length : 5\r\n\r\n${smuggled}`,
          `${head}Content-Length: +5\r\n\r\n${smuggled}`,
          `${head}X: a\0b\r\n\r\n${smuggled}`,
          `GET /livez HTTP/1.1\r\n\r\n`,
        ]) {
          const answers = (await sendRaw(request)).match(/HTTP\/1\.1 \d{3}/g);
          expect([request, answers]).toEqual([request, ["HTTP/1.1 400"]]);
        }
      },
    },
    {
      name: "the Host header changes no link and no answer",
      attack: "Make links in answers, documents and security.txt lead to the attacker's host",
      defence: "Links are made from the configured public address",
      async run({ sendRaw, attacker }) {
        const [key = ""] = Object.values(attacker.by);
        for (const target of ["/openapi.json", "/llms.txt", "/docs/guide", "/.well-known/api-catalog", CPI]) {
          const answer = await sendRaw(
            `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\nX-Service-Key: ${key}\r\nConnection: close\r\n\r\n`,
          );
          expect([target, /^HTTP\/1\.1 200/.test(answer)]).toEqual([target, true]);
          expect([target, answer.includes("evil.example")]).toEqual([target, false]);
        }
      },
    },
    {
      name: "X-Forwarded-For is believed only from a trusted proxy",
      attack: "Change the address under which limits and the audit log see the caller",
      defence:
        "The chain of addresses is read from its end; the first address that is not a trusted proxy is the caller's",
      async run({ send, stack, attacker }) {
        const headersFor = (chain: string): Headers => ({ ...attacker.by, "x-forwarded-for": chain });
        // /metrics is open to callers on this machine. The trusted proxy is 127.0.0.1.
        expect((await send("/metrics", { headers: headersFor("127.0.0.2") })).status).toBe(200);
        expect((await send("/metrics", { headers: headersFor("127.0.0.2, 203.0.113.9") })).status).toBe(404);
        const untrusted = { from: "198.51.100.7" };
        expect((await call(stack.answer, "GET", "/metrics", headersFor("127.0.0.2"), untrusted)).status).toBe(404);
      },
    },
  ],
};
