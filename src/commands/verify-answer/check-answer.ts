import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { isSignedHeader } from "../../contract/signature.js";
import { SECOND_MS } from "../../kit/clock.js";
import {
  component,
  contentDigest,
  requestComponent,
  responseValues,
  signatureBase,
  targetComponents,
  unusableComponent,
} from "../../kit/message-signature.js";
import { type Dictionary, dictionaryIn, type InnerList, isInnerList, itemText } from "../../kit/structured-fields.js";
import type { SavedAnswer } from "./saved-answer.js";

/** A public key from `/.well-known/vigil-keys.json`. `validFrom` and `validUntil` are epoch ms. */
export interface AnswerKey {
  readonly kid: string;
  readonly x: string;
  readonly validFrom: number;
  readonly validUntil: number;
}

/** The result of a check: the facts that the signature proves, or the reason why it proves nothing. */
export type CheckedAnswer =
  | {
      readonly isValid: true;
      readonly status: number;
      /** Path and query of the request. */
      readonly target: string;
      /** Time of the signature, epoch ms. */
      readonly signedAt: number;
      readonly keyId: string;
      /** The headers that the signature covers, by name. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly isValid: false; readonly reason: string };

/** Extracts the path and query from an address or a request target. */
export function targetOf(address: string): string {
  const [authority = ""] = /^https?:\/\/[^/?#]*/i.exec(address) ?? [];
  const [target = ""] = address.slice(authority.length).split("#");
  return target.startsWith("/") ? target : `/${target}`;
}

/**
 * Checks the signature of an answer (RFC 9421) against published keys. `requested` is the target that was requested, if
 * known.
 */
export function checkAnswer(answer: SavedAnswer, keys: readonly AnswerKey[], requested?: string): CheckedAnswer {
  try {
    return provenBy(answer, keys, requested);
  } catch (error) {
    if (error instanceof Rejected) return { isValid: false, reason: error.message };
    throw error;
  }
}

class Rejected extends Error {}

function require(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Rejected(reason);
}

function provenBy(answer: SavedAnswer, keys: readonly AnswerKey[], requested: string | undefined): CheckedAnswer {
  const { status, headers, content } = answer;
  const { covered, signature, key } = signatureOf(headers, keys);
  const signedAt = timeOf(covered, key);
  const names = coveredNames(answer, covered);
  const target = headers.get("content-location");
  require(target !== undefined, "the answer lacks content-location, which names the request");
  require(requested === undefined || requested === target, `the answer is to ${target}, not to ${requested}`);
  const values = responseValues({
    response: new Map([...headers, ["@status", String(status)]]),
    request: new Map([["@method", "GET"], ...targetComponents(target)]),
  });
  const unusable = unusableComponent(covered, values);
  require(unusable === undefined, `the covered component ${unusable} is missing or is covered twice`);
  const digest = headers.get("content-digest");
  if (digest === undefined) require(content.length === 0, "the answer has content but no digest");
  else require(digest === contentDigest(content), digestReason(headers));
  const base = Buffer.from(signatureBase(covered, values), "latin1");
  require(verify(null, base, publicKeyOf(key), signature), "the signature is wrong");
  const proven = names.flatMap((name) => {
    const value = headers.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { isValid: true, status, target, signedAt, keyId: key.kid, headers: Object.fromEntries(proven) };
}

interface FoundSignature {
  readonly covered: InnerList;
  readonly signature: Buffer;
  readonly key: AnswerKey;
}

/** Finds the first signature that names a published key. Rejects the answer if there is none. */
function signatureOf(headers: SavedAnswer["headers"], keys: readonly AnswerKey[]): FoundSignature {
  const inputs = dictionaryOf(headers, "signature-input");
  const signatures = dictionaryOf(headers, "signature");
  let keyId: unknown;
  for (const [label, covered] of inputs) {
    const item = signatures.get(label);
    if (!isInnerList(covered) || !item || isInnerList(item) || !Buffer.isBuffer(item.value)) continue;
    keyId = covered.parameters.get("keyid");
    const key = keys.find(({ kid }) => kid === keyId);
    if (key) return { covered, signature: item.value, key };
  }
  require(keyId !== undefined, "no label is in both signature-input and signature");
  throw new Rejected(`the key ${String(keyId)} is not published`);
}

function dictionaryOf(headers: SavedAnswer["headers"], name: string): Dictionary {
  const text = headers.get(name);
  require(text !== undefined, "the answer is not signed");
  const dictionary = dictionaryIn(text);
  require(dictionary !== undefined, `the header \`${name}\` is malformed`);
  return dictionary;
}

/**
 * Returns the time of a signature, epoch ms. Rejects a signature that does not use Ed25519, that states no time, or
 * whose key was not valid at that time.
 */
function timeOf({ parameters }: InnerList, { validFrom, validUntil }: AnswerKey): number {
  require((parameters.get("alg") ?? "ed25519") === "ed25519", "the signature does not use ed25519");
  const created = parameters.get("created");
  require(typeof created === "number", "the signature has no time");
  const at = created * SECOND_MS;
  require(validFrom <= at && at <= validUntil, "the key was not valid at the time of the signature");
  return at;
}

/**
 * Returns the names of the covered components of the answer, without those of its request. Rejects the signature if a
 * component that identifies the data is not covered.
 */
function coveredNames({ status, headers }: SavedAnswer, covered: InnerList): readonly string[] {
  const texts = new Set(covered.items.map(itemText));
  // A 304 is sent without content, so its ETag must be covered instead of a digest.
  const content = component(status === 304 ? "etag" : "content-digest");
  const required = [component("@status"), requestComponent("@path"), requestComponent("@query"), content];
  const present = [...headers.keys()].filter(isSignedHeader).map(component);
  const missing = [...required, ...present].map(itemText).find((text) => !texts.has(text));
  require(missing === undefined, `the signature does not cover ${missing}`);
  return covered.items.filter(({ parameters }) => parameters.size === 0).map(({ value }) => String(value));
}

function digestReason(headers: SavedAnswer["headers"]): string {
  const coding = headers.get("content-encoding");
  const hint = coding === undefined ? "" : `; save the content as it was sent (${coding}), without --compressed`;
  return `the content does not match its digest${hint}`;
}

function publicKeyOf({ x }: AnswerKey): KeyObject {
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
