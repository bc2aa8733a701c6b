import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { budgetOf } from "../contract/access/principal.js";
import { Failure, failure, type Violation } from "../contract/failures.js";
import type { ReadSetting } from "../contract/setting.js";
import { nullCharactersOf, violationsOf } from "../contract/violations.js";
import { type AnyWrite, isSigned, type RegisteredWrite, type WriteAnswer } from "../contract/write.js";
import { ClaimLost, type ClaimToken, type IdempotencyStore, type StoredAnswer } from "../database/idempotency.js";
import type { Database } from "../database/schema.js";
import { isStoreLost } from "../database/store-error.js";
import { inTransaction } from "../database/transaction.js";
import { addressBlock } from "../kit/address-block.js";
import type { Answer, Exchange } from "./exchange.js";
import { failureAnswer } from "./failure-answer.js";
import type { PortParts } from "./ports.js";
import { sessionCookieHeaders } from "./session-cookie.js";
import { isSignedWith } from "./signature.js";
import { donePage } from "./write-page.js";

export interface WriteParts extends PortParts {
  readonly settingOf: ReadSetting;
  /** True if cookies are restricted to https. */
  readonly isHttps: boolean;
  readonly idempotency: IdempotencyStore;
  readonly onFault: (error: unknown) => void;
}

/** Largest body of any write, bytes. */
const BODY_BYTES_MAX = 262_144;
/** Largest answer that is kept for repeats, bytes. */
const KEPT_BYTES_MAX = 262_144;
/** Statuses below 500 whose answers are not kept, so that a repeat runs the write again. */
const NOT_KEPT = new Set([408, 409, 429]);
const JSON_TYPE = "application/json; charset=utf-8";

/** The pipeline's callbacks for a write, which charge it and turn errors into answers. */
export interface WriteCalls {
  /** Counts the call against the limits. */
  readonly charge: () => void | Promise<void>;
  /** Counts a repeat that gets the stored answer against the limit for repeats, not against the caller's allowance. */
  readonly chargeReplay: () => void | Promise<void>;
  readonly refuse: (error: unknown) => Answer;
}

/**
 * Answers a POST. If the write has `repeats: "replayed"`, a repeat with the same `Idempotency-Key` gets the stored
 * answer. The repeat is refused if the earlier call had another body or is still running. Every other POST runs the
 * write.
 */
export async function writeAnswer(
  parts: WriteParts,
  exchange: Exchange,
  registered: RegisteredWrite,
  { charge, chargeReplay, refuse }: WriteCalls,
): Promise<Answer> {
  const bytes = await exchange.call.body(BODY_BYTES_MAX);
  const { path, write } = registered;
  const key = write.repeats === "replayed" ? idempotencyKey(exchange) : undefined;
  if (key === undefined) {
    await charge();
    const answer = await inOneTransaction(parts, write, (db) => run(parts, exchange, write, bytes, db));
    return donePage(exchange, write, answer);
  }
  const bodyHash = createHash("sha256").update(bytes).digest("hex");
  const { claim, owner } = claimOf(parts, exchange, path, key);
  try {
    return await repeatable({ parts, exchange, write, bytes, key, bodyHash, claim, owner, charge, chargeReplay });
  } catch (error) {
    return withKey(refuse(error), key, false);
  }
}

interface Repeatable {
  readonly parts: WriteParts;
  readonly exchange: Exchange;
  readonly write: AnyWrite;
  readonly bytes: Buffer;
  readonly key: string;
  readonly bodyHash: string;
  readonly claim: string;
  readonly owner: string;
  readonly charge: WriteCalls["charge"];
  readonly chargeReplay: WriteCalls["chargeReplay"];
}

async function repeatable(repeat: Repeatable): Promise<Answer> {
  const { parts, claim, bodyHash, owner, charge } = repeat;
  const earlierCall = await lookedUp(repeat, () => parts.idempotency.look(claim, bodyHash));
  const earlier = earlierCall && (await earlierAnswer(repeat, earlierCall));
  if (earlier) return earlier;
  await charge();
  const claimResult = await lookedUp(repeat, () => parts.idempotency.take(claim, bodyHash, owner));
  // The store of claims failed, but `lookedUp` did not throw. The call then runs as if it had no idempotency key.
  if (!claimResult) return runOnce(repeat, undefined);
  if (claimResult.kind === "taken") return runOnce(repeat, claimResult.token);
  const faster = await earlierAnswer(repeat, claimResult);
  if (faster) return faster;
  throw failure("idempotencyConflict", null);
}

/**
 * Returns the stored answer for a repeat; undefined if the key is free. Throws the refusal if the earlier call had
 * another body or is still running.
 */
async function earlierAnswer(
  { exchange, key, chargeReplay }: Repeatable,
  earlierCall: Awaited<ReturnType<IdempotencyStore["look"]>>,
): Promise<Answer | undefined> {
  if (earlierCall.kind === "other-body") throw failure("idempotencyKeyReused", null);
  if (earlierCall.kind === "running") throw failure("idempotencyConflict", null);
  if (earlierCall.kind === "free") return undefined;
  await chargeReplay();
  const { status, contentType, body } = earlierCall.answer;
  const headers = { ...exchange.cors, "Content-Type": contentType, "Cache-Control": "no-store" };
  return withKey({ status, headers, body }, key, true);
}

/**
 * Runs the write and stores its answer. If `write.isTransaction`, one transaction does both, so that a crash cannot
 * separate them.
 */
async function runOnce(
  { parts, exchange, write, bytes, key }: Repeatable,
  token: ClaimToken | undefined,
): Promise<Answer> {
  const { db, idempotency } = parts;
  try {
    const answer = await inOneTransaction(parts, write, async (on) => {
      const written = await run(parts, exchange, write, bytes, on);
      if (token) await keep(idempotency, on, token, written);
      return written;
    });
    return withKey(answer, key, false);
  } catch (error) {
    // If the write has a transaction, it was rolled back. A refusal is stored like any answer. After an internal error
    // nothing is stored, so that a repeat runs the write again.
    const refusal = error instanceof Failure ? failureAnswer(error, exchange) : undefined;
    if (token) await keep(idempotency, db, token, refusal).catch(parts.onFault);
    if (!(error instanceof ClaimLost)) throw error;
    // The claim expired (early, if another process's clock is ahead), and another process has taken it over and may be
    // running the write. A repeat gets the answer of that process, or runs the write again.
    parts.onFault(error);
    throw failure("idempotencyConflict", null);
  }
}

function inOneTransaction<T>(
  { db }: WriteParts,
  { isTransaction }: AnyWrite,
  work: (on: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return isTransaction ? inTransaction(db, work) : work(db);
}

async function keep(
  idempotency: IdempotencyStore,
  on: Kysely<Database>,
  token: ClaimToken,
  answer: Answer | undefined,
): Promise<void> {
  const stored = answer && storable(answer);
  await (stored ? idempotency.finish(on, token, stored) : idempotency.release(on, token));
}

function storable({ status, headers, body }: Answer): StoredAnswer | undefined {
  const text = String(body ?? "");
  if (status >= 500 || NOT_KEPT.has(status) || Buffer.byteLength(text) > KEPT_BYTES_MAX) return undefined;
  return { status, contentType: headers["Content-Type"] ?? JSON_TYPE, body: text };
}

async function run(
  parts: WriteParts,
  exchange: Exchange,
  write: AnyWrite,
  bytes: Buffer,
  db: Kysely<Database>,
): Promise<Answer> {
  const now = parts.clock.now();
  const input = inputOf(exchange, write, bytes, now);
  const { access, uses } = write;
  const { principal } = exchange;
  checkSignature(parts, exchange, write, bytes, now);
  const actor = isSigned(access) ? access.actor : (principal?.actor ?? "anonymous");
  const ports = parts.openPorts(uses, { exchange, actor, address: parts.addressOf(exchange), bytes, db });
  // The cast is safe, because the credential step has refused every caller whom the write does not admit.
  const answer = await write.run(input, { principal: principal as never, ports, now: parts.clock.now });
  return jsonText(parts, answer, write, exchange);
}

/** Throws the 401 for a body without its required signature. */
function checkSignature(
  { settingOf }: WriteParts,
  { call }: Exchange,
  { access }: AnyWrite,
  bytes: Buffer,
  now: number,
): void {
  if (!isSigned(access)) return;
  const secret = settingOf(access.signedWith);
  const signature = call.header("x-vigil-signature");
  if (!isSignedWith(secret, signature, bytes, now)) throw failure("signatureInvalid", null);
}

function jsonText(
  { clock, isHttps }: WriteParts,
  answer: WriteAnswer<unknown>,
  { success, isForm }: AnyWrite,
  exchange: Exchange,
): Answer {
  const body = "text" in answer ? answer.text : JSON.stringify(answer.body);
  const headers = {
    ...exchange.cors,
    "Content-Type": JSON_TYPE,
    "Cache-Control": "no-store",
    ...(isForm && { Pragma: "no-cache" }),
    ...(answer.session && sessionCookieHeaders(answer.session, clock.now(), isHttps)),
  };
  return { status: success ?? 200, headers, body };
}

/** Parses the body according to the write's schema. Throws the 400 for an invalid body. */
function inputOf({ call, search }: Exchange, write: AnyWrite, bytes: Buffer, now: number): unknown {
  const type = call.header("content-type") ?? "";
  const sent = write.isForm ? formOf(type, bytes, write) : jsonOf(type, bytes);
  const input = write.page ? { ...Object.fromEntries(new URLSearchParams(search)), ...sent } : sent;
  // Each check needs input that has passed the checks before it.
  const checks: readonly (() => readonly Violation[])[] = [
    () => violationsOf(write.request, input),
    // A POST that only reads is a batch, which checks the paths of its items itself: a bad path fails only its item.
    () => (write.isRead ? [] : nullCharactersOf(write.request, input)),
    () => write.violations?.(input, now) ?? [],
  ];
  for (const check of checks) {
    const violations = check();
    if (violations.length > 0) throw invalidInput(write, violations);
  }
  return input;
}

function invalidInput({ inputFailure }: AnyWrite, violations: readonly Violation[]): Failure {
  return inputFailure?.(violations) ?? failure("validation", { violations });
}

function formOf(contentType: string, bytes: Buffer, write: AnyWrite): object {
  const { page, inputFailure } = write;
  const invalidBody = (): Failure => inputFailure?.([]) ?? failure("bodyInvalid", null);
  // The fixed text of a one-click unsubscribe (RFC 8058) may also arrive as multipart. It is ignored, because the
  // members are in the query.
  if (page && /^multipart\/form-data\s*(?:;|$)/i.test(contentType)) return {};
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType)) throw invalidBody();
  const form = formText(bytes);
  if (form === undefined) throw invalidBody();
  // A parameter without a value counts as absent (RFC 6749 §3.2).
  const sent = [...new URLSearchParams(form)].filter(([, value]) => value !== "");
  const violations = repeatedMembers(
    write,
    sent.map(([name]) => name),
  );
  if (violations.length > 0) throw invalidInput(write, violations);
  return Object.fromEntries(sent);
}

/** A violation for each member that a form repeats. Unknown parameters are ignored, so they may be repeated. */
function repeatedMembers({ request }: AnyWrite, sent: readonly string[]): readonly Violation[] {
  const { properties = {} } = request as { readonly properties?: object };
  return Object.keys(properties).flatMap((field) => {
    const count = sent.filter((name) => name === field).length;
    return count > 1 ? [{ field, description: `must be given once, got ${count} values` }] : [];
  });
}

function jsonOf(contentType: string, bytes: Buffer): object {
  if (!/^application\/json\s*(?:;|$)/i.test(contentType)) throw failure("bodyInvalid", null);
  let input: unknown;
  try {
    input = JSON.parse(utf8.decode(bytes));
  } catch {
    throw failure("bodyInvalid", null);
  }
  if (typeof input !== "object" || input === null || Array.isArray(input)) throw failure("bodyInvalid", null);
  return input;
}

/** Refuses invalid UTF-8 instead of replacing it. A byte order mark is kept, which makes the JSON invalid. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a form; undefined if its bytes or the bytes that its percent escapes encode are not UTF-8. */
function formText(bytes: Buffer): string | undefined {
  try {
    const form = utf8.decode(bytes);
    decodeURIComponent(form);
    return form;
  } catch {
    return undefined;
  }
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

function idempotencyKey({ call }: Exchange): string | undefined {
  if (!call.hasHeader("idempotency-key")) return undefined;
  const key = call.header("idempotency-key") ?? "";
  if (!IDEMPOTENCY_KEY.test(key)) throw failure("idempotencyKeyInvalid", null);
  return key;
}

/**
 * Returns the claim of a call and the owner of the claim. The claim distinguishes equal keys of different callers and
 * paths. The total size of the stored answers of an owner is capped.
 */
function claimOf(
  parts: WriteParts,
  exchange: Exchange,
  path: string,
  key: string,
): { readonly claim: string; readonly owner: string } {
  const { principal } = exchange;
  const address = principal ? "" : parts.addressOf(exchange);
  const caller = principal ? `${principal.kind} ${principal.actor} ${budgetOf(principal)}` : `address ${address}`;
  const claim = createHash("sha256").update(`${caller}\n${path}\n${key}`).digest("hex");
  return { claim, owner: `${principal ? budgetOf(principal) : addressBlock(address)} ${path}` };
}

function withKey(answer: Answer, key: string, isReplay: boolean): Answer {
  const headers = { ...answer.headers, "Idempotency-Key": key, "Idempotent-Replayed": String(isReplay) };
  return { ...answer, headers };
}

/**
 * Queries the store of claims. If the store cannot be used, logs the failure and returns undefined. If the write needs
 * the same store, throws the failure instead: the store could be back a moment later, the write would then succeed
 * without a claim, and a repeat would run it again.
 */
async function lookedUp<T>({ parts, write }: Repeatable, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (write.isTransaction && isStoreLost(error)) throw error;
    parts.onFault(error);
    return undefined;
  }
}
