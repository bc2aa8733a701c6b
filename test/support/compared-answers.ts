import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../../src/http/server.js";
import type { Services } from "../../src/services/registry.js";
import { accountGetsOf, type ComparedGet, getsOf } from "./foreign-requests.js";
import {
  publishedDocument,
  unprojected,
  type ValidatingProxy,
  type Violation,
  validatingProxy,
  violationsIn,
  withOnly,
} from "./prism.js";
import { type Stack, startStack } from "./stack.js";
import { type CreatedIds, endpointBody, noteIds, writeBodies } from "./write-bodies.js";

const LIMITS = ["enterprise-minute", "operator-minute", "watch-create", "watch-change", "watch-test", "own-account"]
  .concat("batch-execute")
  .map((name) => `${name}=999999`)
  .join();

/** The documented platform path that is left out, because it serves a built script, not JSON. */
const notCompared = new Set(["/docs/js/scalar.js"]);

/** The query of each platform path that needs one. */
const platformQueries: Readonly<Record<string, string>> = { "/api/datasets/history": "?name=us-cpi" };

interface Compared {
  readonly status: number;
  readonly violations: readonly Violation[];
  readonly body: string;
}

/**
 * Calls these operations, account reads and writes through Prism's validating proxy, and tests that the answers agree
 * with the OpenAPI document. Only `datasets` have data.
 */
export function compareAnswers(
  { operations, accountReads, writes }: Services,
  datasets: readonly string[] | "all",
): void {
  let stack: Stack;
  let server: HttpServer;
  let key: string;
  let service: string;
  const proxies = new Map<string, ValidatingProxy>();
  beforeAll(async () => {
    stack = await startStack({
      filled: datasets,
      ...(datasets !== "all" && { datasets }),
      env: { VIGIL_LIMITS: LIMITS },
    });
    server = httpServer(stack.answer);
    key = stack.service.access.ownerKey.key ?? "";
    service = await server.listen("127.0.0.1", 0);
    const published = publishedDocument();
    const json = withOnly(published, "application/json");
    const documents = {
      "application/json": unprojected(json),
      "application/geo+json": unprojected(withOnly(published, "application/geo+json")),
      // The document lists only the main members of a feed, so further members are allowed.
      "application/feed+json": withOnly(published, "application/feed+json"),
      "application/problem+json": withOnly(published, "application/problem+json"),
      projected: json,
    };
    for (const [name, document] of Object.entries(documents)) {
      proxies.set(name, await validatingProxy(document, service));
    }
  }, 600_000);
  afterAll(async () => {
    for (const proxy of proxies.values()) await proxy.close();
    await server.close();
    await stack.close();
  });

  async function send(proxy: string, target: string, init: RequestInit): Promise<Compared> {
    const headers = { "accept-encoding": "identity", "x-service-key": key, ...init.headers };
    const answer = await fetch(`${proxies.get(proxy)?.url}${target}`, { ...init, headers });
    return { status: answer.status, violations: violationsIn(answer.headers), body: await answer.text() };
  }

  async function expectGets(gets: readonly ComparedGet[]): Promise<void> {
    for (const { target, headers = {}, type, isProjected = false } of gets) {
      const { status, violations } = await send(isProjected ? "projected" : type, target, { headers });
      expect({ target, status, violations }).toEqual({ target, status: expect.any(Number), violations: [] });
      // Without this check, a failure of the proxy or the service would go unnoticed.
      expect(status, target).toBeLessThan(500);
    }
  }

  test.each(operations)("Prism finds no violation in the answers of $path", async (registered) => {
    await expectGets(getsOf(registered));
  });

  test.each(accountReads)("Prism finds no violation in the answers of $path", async (registered) => {
    await expectGets(accountGetsOf(registered));
  });

  const paths = Object.entries(publishedDocument()["paths"] as Readonly<Record<string, { get?: { tags: string[] } }>>);
  const platform = paths.filter(([path, { get }]) => get?.tags.includes("platform") && !notCompared.has(path));
  test.each(platform.map(([path]) => path))("Prism finds no violation in the answer of %s", async (path) => {
    await expectGets([{ target: path + (platformQueries[path] ?? ""), type: "application/json" }]);
  });

  test.runIf(writes.length > 0)("Prism finds no violation in the answers of writes", async () => {
    const created: CreatedIds = { watchId: "", companyId: "", endpointId: "" };
    const post = async (path: string, body: object, idempotencyKey?: string): Promise<void> => {
      const headers = {
        "content-type": "application/json",
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      };
      const {
        status,
        violations,
        body: text,
      } = await send("application/json", path, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      expect({ path, status, violations }).toEqual({ path, status: expect.any(Number), violations: [] });
      expect(status, `${path}: ${text}`).toBeLessThan(300);
      noteIds(created, JSON.parse(text));
    };
    await post("/api/webhooks/v1/create-webhook-endpoint", endpointBody);
    for (const [rpc, bodyOf] of Object.entries(writeBodies)) {
      const registered = writes.find(({ write }) => write.rpc === rpc);
      if (!registered) throw new Error(`no write is named ${rpc}`);
      const isKeyed = registered.write.repeats !== "ignored";
      await post(registered.path, bodyOf(created), isKeyed ? `prism-${rpc}` : undefined);
    }
    const refused = await send("application/json", "/api/watches/v1/create-watch", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect({ status: refused.status, violations: refused.violations }).toEqual({ status: 400, violations: [] });
  });

  describe("a document that differs from the service", () => {
    test.each([
      ["a member of another type", (quake: QuakeSchema) => ({ ...quake.properties, magnitude: { type: "string" } })],
      ["a missing member", ({ properties: { place: _, ...others } }: QuakeSchema) => others],
    ])("%s is reported", async (difference, changed) => {
      const document = structuredClone(unprojected(withOnly(publishedDocument(), "application/json"))) as {
        readonly components: { readonly schemas: { Earthquake: QuakeSchema } };
      };
      const { schemas } = document.components;
      schemas.Earthquake = { ...schemas.Earthquake, required: [], properties: changed(schemas.Earthquake) };
      proxies.set(difference, await validatingProxy(document, service));
      const { status, violations } = await send(difference, "/api/seismology/v1/list-earthquakes?page_size=1", {});
      expect(status).toBe(200);
      expect(violations.length).toBeGreaterThan(0);
    });
  });
}

interface QuakeSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}
