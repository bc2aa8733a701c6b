import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { json, type Stack, startStack } from "./support/stack.js";

let stack: Stack;
let server: HttpServer;
let address: string;
beforeAll(async () => {
  stack = await startStack();
  server = httpServer(stack.answer);
  address = await server.listen("127.0.0.1", 0);
});
afterAll(async () => {
  await server.close();
  await stack.close();
});

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the start page", () => {
  test("is the console for a browser, and says whether the data is simulated", async () => {
    const { status, headers, body } = await stack.get("/", BROWSER);
    expect(status).toBe(200);
    expect(headers["Content-Type"]).toBe("text/html; charset=utf-8");
    expect(String(body)).toContain('<html lang="en" data-simulated="true">');
  });

  test("loads files that can be cached forever, because their names contain the hash of their content", async () => {
    const html = String((await stack.get("/", BROWSER)).body);
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      const { status, headers } = await stack.get(asset, {});
      expect([status, headers["Cache-Control"]], asset).toEqual([200, "public, max-age=31536000, immutable"]);
    }
  });

  test("gives a program the addresses of the documents, all of which can be read without a key", async () => {
    const answer = await stack.get("/", { accept: "*/*" });
    expect(answer.headers["Content-Type"]).toBe("application/json; charset=utf-8");
    const { name, version, simulated, mcp, ...documents } = json(answer) as Readonly<Record<string, string>>;
    expect({ name, simulated, mcp }).toEqual({ name: "vigil", simulated: true, mcp: "/mcp" });
    expect(version).toMatch(/^\d/);
    expect(documents).toMatchObject({ forAgents: "/llms.txt", openapi: "/openapi.json", reference: "/docs" });
    for (const address of Object.values(documents)) expect((await stack.get(address, {})).status, address).toBe(200);
  });

  test("varies by Accept", async () => {
    expect((await stack.get("/", BROWSER)).headers["Vary"]).toBe("Accept, Accept-Encoding, Origin");
  });
});

test.each(["/docs", "/", "/docs/settings", "/docs/search?q=key"])(
  "%s loads nothing from other hosts and cannot be framed",
  async (path) => {
    const { headers } = await stack.get(path, BROWSER);
    const policy = headers["Content-Security-Policy"] ?? "";
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
    expect(headers).toMatchObject({ "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff" });
  },
);

test.each(["/openapi.json", "/llms.txt", "/docs/datasets"])(
  "%s is compressed once and revalidated by its ETag",
  async (path) => {
    const plain = await stack.get(path, {});
    const packed = await stack.get(path, { "accept-encoding": "br" });
    expect(packed.headers["Content-Encoding"]).toBe("br");
    expect(brotliDecompressSync(packed.body as Buffer).toString()).toBe(String(plain.body));
    expect((await stack.get(path, { "accept-encoding": "br" })).body).toBe(packed.body);
    const revalidated = await stack.get(path, { "if-none-match": packed.headers["ETag"] ?? "" });
    expect([revalidated.status, revalidated.body]).toEqual([304, undefined]);
  },
);

test.each(["/api/economic/v1/get-us-cpi-monthly", "/api/version", "/readyz", "/nowhere"])(
  "the JSON of %s cannot be sniffed as another type",
  async (path) => {
    const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
    const answer = await fetch(`${address}${path}`, { headers: key });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  },
);
