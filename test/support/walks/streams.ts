import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyScope, scopes } from "../../../src/contract/access/scopes.js";
import type { RegisteredStream } from "../../../src/contract/stream.js";
import { keyOn } from "../callers.js";
import { firstText } from "../first-text.js";
import { call, json, type Stack, startStack } from "../stack.js";

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const document: Document = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));

/** Tests streams: their first event, their headers, access, refusals, and their entry in the OpenAPI document. */
export function walkStreams(streams: readonly RegisteredStream[]): void {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ datasets: [] });
  });
  afterAll(() => stack.close());

  describe.each(streams.map((registered) => [registered.path, registered] as const))("GET %s", (path, { stream }) => {
    const ownerKey = (): Readonly<Record<string, string>> => ({
      "x-service-key": stack.service.access.ownerKey.key ?? "",
    });

    test("begins with an event that states the position; the answer's headers keep caches and proxies from delaying events", async () => {
      const answer = await stack.get(path);
      expect([answer.status, answer.headers["Content-Type"], answer.headers["Cache-Control"]]).toEqual([
        200,
        "text/event-stream; charset=utf-8",
        "no-store, no-transform",
      ]);
      const text = await firstText(answer.follow);
      expect(text).toMatch(/^retry: \d+\n\nid: \d+\nevent: ready\ndata: \{"position":\d+,"pollState":"CURRENT",/);
    });

    test("continues after the position in Last-Event-ID, and refuses an invalid or unknown position", async () => {
      expect((await stack.get(path, { ...ownerKey(), "last-event-id": "999999999" })).status).toBe(410);
      const refused = await stack.get(path, { ...ownerKey(), "last-event-id": "yesterday" });
      expect([refused.status, json(refused)]).toMatchObject([400, { violations: [{ field: "Last-Event-ID" }] }]);
      const begun = await stack.get(path, { ...ownerKey(), "last-event-id": "0" });
      expect([begun.status, (await firstText(begun.follow)).includes("id: 0\n")]).toEqual([200, true]);
    });

    test("an invalid cursor and a projection are refused with the documented 400", async () => {
      expect((await stack.get(`${path}?cursor=zz`)).status).toBe(400);
      const projected = await stack.get(`${path}?jmespath=a`);
      expect([projected.status, json(projected)]).toMatchObject([400, { violations: [{ field: "jmespath" }] }]);
    });

    test("callers without the required scope are refused", async () => {
      expect((await stack.get(path, {})).status).toBe(401);
      const others =
        stream.log.scope === "read" ? [...everyScope] : scopes.filter((scope) => scope !== stream.log.scope);
      const key = await keyOn(
        stack,
        "business",
        others.filter((scope) => scope !== stream.log.scope),
      );
      expect((await stack.get(path, { "x-service-key": key })).status).toBe(403);
    });

    test("a HEAD gets only the headers, a POST is refused, and a batch cannot contain the stream", async () => {
      const head = await call(stack.answer, "HEAD", path, ownerKey());
      expect([head.status, head.follow]).toEqual([200, undefined]);
      expect((await call(stack.answer, "POST", path, ownerKey())).status).toBe(405);
      const headers = { ...ownerKey(), "content-type": "application/json" };
      const body = JSON.stringify({ operations: [{ path }] });
      const batch = json(await call(stack.answer, "POST", "/api/batch/v1/execute", headers, { body }));
      expect(batch).toMatchObject({ results: [{ status: 400 }] });
    });

    test("the OpenAPI document lists the stream", () => {
      expect(document.paths[path]?.["get"]?.operationId).toBe(stream.rpc);
      expect([stream.summary.length > 8, stream.description.length > 20]).toEqual([true, true]);
    });
  });
}
