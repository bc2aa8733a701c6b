import { readFileSync } from "node:fs";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyScope, type Scope, scopes } from "../../../src/contract/access/scopes.js";
import type { AnyAccountRead, RegisteredAccountRead } from "../../../src/contract/account-read.js";
import type { AccountReadCase, Json, ServiceCases } from "../../../src/contract/testing/service-cases.js";
import { isOpen, type RegisteredWrite, type WriteAccess } from "../../../src/contract/write.js";
import type { IdentifiedAnswer } from "../../../src/http/exchange.js";
import { keyOn } from "../callers.js";
import { call, json, type Stack, startStack } from "../stack.js";

type Headers = Readonly<Record<string, string>>;

const BATCH = "/api/batch/v1/execute";

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly tags: readonly string[] }>>>
  >;
}

const document: Document = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"));

/** Tests account reads: examples, declared answers, access, and that answers are not cached. */
export function walkAccountReads(
  reads: readonly RegisteredAccountRead[],
  allCases: NonNullable<ServiceCases["accountReads"]>,
): void {
  const cases: Readonly<Record<string, AccountReadCase>> = Object.fromEntries(
    Object.entries(allCases).flatMap(([rpc, readCase]) => (readCase.kind === "elsewhere" ? [] : [[rpc, readCase]])),
  );
  const ownReads = reads.filter(({ read }) => allCases[read.rpc]?.kind !== "elsewhere");
  let stack: Stack;
  const inNewStore = new Map<string, unknown>();
  const targets = new Map<string, readonly string[]>();
  const targetOf = (path: string): string => targets.get(path)?.[0] ?? path;
  beforeAll(async () => {
    stack = await startStack({ datasets: [] });
    // Reads that need an earlier call come last, because the others expect a new store.
    const isLast = ({ read }: RegisteredAccountRead): number => (cases[read.rpc]?.after ? 1 : 0);
    for (const { path, read } of ownReads.toSorted((a, b) => isLast(a) - isLast(b))) {
      targets.set(path, await targetsOf(stack, path, read, cases[read.rpc]));
      inNewStore.set(path, json(await stack.get(targetOf(path))));
    }
  });
  afterAll(() => stack.close());

  describe.each(ownReads.map((registered) => [registered.path, registered] as const))(
    "GET %s",
    (path, { read, service }) => {
      const answerErrors = closedErrorsOf(read.response);

      test("its examples are answered with the declared members, with no-store and without an ETag", async () => {
        for (const target of targets.get(path) ?? []) {
          const answer = await stack.get(target);
          expect(answer.status, String(answer.body)).toBe(200);
          expect(answerErrors(json(answer))).toEqual([]);
          expect(answer.headers).toMatchObject({ "Cache-Control": "no-store" });
          expect(answer.headers).not.toHaveProperty("ETag");
        }
      });

      test("jmespath projects its answer, and a bad expression gets the documented 400", async () => {
        const target = `${targetOf(path)}${targetOf(path).includes("?") ? "&" : "?"}jmespath=`;
        const plain = json(await stack.get(targetOf(path)));
        expect(json(await stack.get(`${target}keys(@)`))).toEqual(Object.keys(plain as object));
        const refused = await stack.get(`${target}%5B`);
        expect([refused.status, Object.keys(json(refused) as object)]).toEqual([
          400,
          ["_jmespath_error", "original_keys"],
        ]);
      });

      test("the operator of a new store gets the answer that the test case states", () => {
        expect(inNewStore.get(path)).toMatchObject(cases[read.rpc]?.answer ?? {});
      });

      test("callers without the required access are refused", async () => {
        expect((await stack.get(path, {})).status).toBe(401);
        expect((await stack.get(path, await keyWithout(stack, read.access))).status).toBe(403);
      });

      test("an item of a batch gets the same answer as a direct call", async () => {
        const plain = await stack.get(targetOf(path));
        expect(await batched(stack, targetOf(path))).toMatchObject({ status: 200, body: json(plain) });
      });

      test("a POST is refused, and the OpenAPI document lists the read under its service", async () => {
        expect((await call(stack.answer, "POST", path, ownerOf(stack))).status).toBe(405);
        expect(document.paths[path]?.["get"]).toMatchObject({ operationId: read.rpc, tags: [service] });
        expectDescribed(read);
      });
    },
  );
}

/**
 * Tests writes: a body that succeeds, the declared answer to it, repeats, access, and that a batch never reaches a
 * write.
 */
export function walkWriteCases(writes: readonly RegisteredWrite[], cases: NonNullable<ServiceCases["writes"]>): void {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ datasets: [] });
  });
  afterAll(() => stack.close());

  const walked = writes.flatMap((registered) => {
    const writeCase = cases[registered.write.rpc];
    return writeCase?.kind === "write" ? [[registered.path, registered, writeCase] as const] : [];
  });
  describe.each(walked)("POST %s", (path, { write, service }, writeCase) => {
    const answerErrors = closedErrorsOf(write.response);
    const success = write.success ?? 200;

    /**
     * Makes the earlier call that the case needs. Returns a body that must succeed, and its media type.
     */
    async function sent(): Promise<{ readonly body: string; readonly type: string }> {
      const earlier = writeCase.after ? await posted(stack, writeCase.after.path, writeCase.after.body) : {};
      const body = writeCase.body({ ownerKey: stack.service.access.ownerKey.key ?? "", earlier });
      return write.isForm
        ? { body: new URLSearchParams(body as Record<string, string>).toString(), type: FORM }
        : { body: JSON.stringify(body), type: JSON_TYPE };
    }

    function post(body: string, type: string, headers: Headers = ownerOf(stack)): Promise<IdentifiedAnswer> {
      return call(stack.answer, "POST", path, { ...headers, "content-type": type }, { body });
    }

    test(`the body of the test case is answered with ${success} and the declared members`, async () => {
      const { body, type } = await sent();
      const answer = await post(body, type);
      expect(answer.status, String(answer.body)).toBe(success);
      expect(answerErrors(json(answer))).toEqual([]);
      expect(json(answer)).toMatchObject(writeCase.answer);
      expect(answer.headers["Cache-Control"]).toBe("no-store");
    });

    test(`a repeat with the same Idempotency-Key ${write.repeats === "replayed" ? "gets the stored answer" : "runs again"}`, async () => {
      const { body, type } = await sent();
      const headers = { ...ownerOf(stack), "idempotency-key": write.rpc };
      const answers = [await post(body, type, headers), await post(body, type, headers)];
      const isReplayed = write.repeats === "replayed";
      expect(answers.map(({ status }) => status)).toEqual([success, success]);
      expect(answers.map((answer) => answer.headers["Idempotent-Replayed"])).toEqual(
        isReplayed ? ["false", "true"] : [undefined, undefined],
      );
      if (isReplayed) expect(String(answers[1]?.body)).toBe(String(answers[0]?.body));
    });

    if (!isOpen(write)) {
      test("callers without the required access are refused", async () => {
        const { body, type } = await sent();
        expect((await post(body, type, {})).status).toBe(401);
        if (write.access === "any") return;
        expect((await post(body, type, await keyWithout(stack, write.access))).status).toBe(403);
      });
    }

    test("a body of the wrong media type or shape is refused", async () => {
      const { body } = await sent();
      expect((await post(body, write.isForm ? JSON_TYPE : FORM)).status).toBe(400);
      expect((await post("[]", JSON_TYPE)).status).toBe(400);
    });

    test("a batch cannot call the write, and a GET is refused unless the write has a page", async () => {
      const { status, error } = await batched(stack, path);
      const isNested = path === BATCH;
      expect([status, error]).toEqual(
        isNested ? [0, "nested_batch"] : path.startsWith("/api/") ? [405, ""] : [0, "invalid_path"],
      );
      expect((await stack.get(path)).status).toBe(write.page ? 200 : 405);
    });

    test("the OpenAPI document lists the write under its service", () => {
      expect(document.paths[path]?.["post"]).toMatchObject({ operationId: write.rpc, tags: [service] });
      expectDescribed(write);
    });
  });
}

/**
 * Returns the targets that a read must answer. If the test case states a query, there is one target with this query.
 * Otherwise, there is one target per example.
 */
async function targetsOf(
  stack: Stack,
  path: string,
  { examples }: AnyAccountRead,
  readCase: AccountReadCase | undefined,
): Promise<readonly string[]> {
  const earlier = readCase?.after ? await answered(stack, readCase.after) : {};
  const queries = readCase?.query ? [readCase.query(earlier)] : examples;
  return queries.map((query) => `${path}?${new URLSearchParams(query)}`);
}

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";

const ownerOf = ({ service }: Stack): Headers => ({ "x-service-key": service.access.ownerKey.key ?? "" });

/** Creates a key on a plan with API access. The key has every scope except the one that `access` needs. */
async function keyWithout(stack: Stack, access: WriteAccess): Promise<Headers> {
  const needed = typeof access === "object" && "scope" in access ? access.scope : undefined;
  const carried: readonly Scope[] = needed === undefined ? [...everyScope] : scopes.filter((scope) => scope !== needed);
  return { "x-service-key": await keyOn(stack, "business", carried) };
}

async function answered(stack: Stack, { path, body }: NonNullable<AccountReadCase["after"]>): Promise<Json> {
  return body === undefined ? (json(await stack.get(path)) as Json) : posted(stack, path, body);
}

async function posted(stack: Stack, path: string, body: Json): Promise<Json> {
  const headers = { ...ownerOf(stack), "content-type": JSON_TYPE };
  return json(await call(stack.answer, "POST", path, headers, { body: JSON.stringify(body) })) as Json;
}

interface BatchResult {
  readonly status: number;
  readonly error: string;
  readonly body?: unknown;
}

/** As the owner, sends a batch that contains only this path. Returns the result of the path. */
async function batched(stack: Stack, path: string): Promise<BatchResult> {
  const { results } = (await posted(stack, BATCH, { operations: [{ path }] })) as { results: readonly BatchResult[] };
  const [result] = results;
  if (!result) throw new Error(`the batch has no result for ${path}`);
  return result;
}

/** Finds members that the schema does not declare, and values that it does not accept. */
function closedErrorsOf(schema: object): (body: unknown) => readonly unknown[] {
  const copy = Value.Clone(schema);
  close(copy);
  const strict = Compile(copy);
  return (body) => [...strict.Errors(body)].slice(0, 3);
}

function close(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("properties" in node) Object.assign(node, { additionalProperties: false });
  for (const value of Object.values(node)) close(value);
}

function expectDescribed({ summary, description }: { readonly summary: string; readonly description: string }): void {
  expect([summary.length > 8, description.length > 20]).toEqual([true, true]);
}
