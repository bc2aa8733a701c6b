import { failure } from "../contract/failures.js";
import { isSignedHeader, SIGNATURE_LABEL } from "../contract/signature.js";
import type { ProofSigner } from "../database/proof-keys.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import {
  type ComponentValue,
  component,
  contentDigest,
  requestComponent,
  responseValues,
  signatureBase,
  targetComponents,
  unusableComponent,
} from "../kit/message-signature.js";
import {
  type BareItem,
  dictionaryIn,
  type InnerList,
  innerListText,
  isInnerList,
  type Parameters,
} from "../kit/structured-fields.js";
import type { Answer, Exchange } from "./exchange.js";
import { withOtherHeaders } from "./prepared-answer.js";

export interface SigningParts {
  readonly clock: Clock;
  /** The current signing key. */
  readonly signer: () => ProofSigner | Promise<ProofSigner>;
}

/**
 * Signs the answer to a call that asks for a signature (RFC 9421). `isDemanded` is true if the call has the parameter
 * `signature`, false if it has only the header `Accept-Signature`.
 */
export type SignAnswer = (exchange: Exchange, isDemanded: boolean, answer: Answer) => Answer | Promise<Answer>;

/**
 * Maximum length of a request target whose answer is signed. There is a limit, because the header `Content-Location` of
 * the answer repeats the target.
 */
const TARGET_CHARACTERS_MAX = 8_192;
/** Maximum length of an `Accept-Signature`; a longer one is ignored. */
const REQUEST_CHARACTERS_MAX = 2_048;

/**
 * True for a call whose answer may have to be signed. Throws the 400 if a call demands a signature that is not
 * available.
 */
export function asksForSignature({ call }: Exchange, isDemanded: boolean): boolean {
  if (!isDemanded && call.header("accept-signature") === undefined) return false;
  const obstacle = obstacleOf(call);
  if (isDemanded && obstacle !== undefined) {
    throw failure("validation", { violations: [{ field: "signature", description: obstacle }] });
  }
  // A signature covers the content, which an answer to HEAD does not have.
  return obstacle === undefined && call.method !== "HEAD";
}

function obstacleOf({ batchedFor, target: { length } }: Exchange["call"]): string | undefined {
  if (batchedFor !== undefined) return "is not available in a batch: its items have no headers of their own";
  if (length <= TARGET_CHARACTERS_MAX) return undefined;
  return `is not available for a request target of more than ${TARGET_CHARACTERS_MAX} characters, got ${length}`;
}

/** The latest signature of an answer, reused for equal calls within the same second. */
interface SignedBefore {
  readonly second: number;
  readonly keyId: string;
  readonly target: string;
  readonly request: string | undefined;
  readonly signed: Answer;
}

/** Signs answers. Consecutive equal calls that get the same prepared answer within one second share a signature. */
export function answerSigning({ clock, signer }: SigningParts): SignAnswer {
  const before = new WeakMap<Answer, SignedBefore>();

  function signedWith(key: ProofSigner, { call }: Exchange, isDemanded: boolean, answer: Answer): Answer {
    const second = Math.floor(clock.now() / SECOND_MS);
    const { target } = call;
    const request = call.header("accept-signature");
    const last = before.get(answer);
    const isSameCall = last?.target === target && last.request === request;
    if (isSameCall && last.second === second && last.keyId === key.keyId) return last.signed;
    const signed = signedAnswer(key, { answer, second, target, method: call.method, request, isDemanded });
    if (answer.prepared) before.set(answer, { second, keyId: key.keyId, target, request, signed });
    return signed;
  }

  return (exchange, isDemanded, answer) => {
    const key = signer();
    if (!(key instanceof Promise)) return signedWith(key, exchange, isDemanded, answer);
    return key.then((read) => signedWith(read, exchange, isDemanded, answer));
  };
}

interface Signing {
  readonly answer: Answer;
  /** Time of the signature, epoch seconds. */
  readonly second: number;
  readonly target: string;
  readonly method: string;
  /** Value of the header `Accept-Signature`. */
  readonly request: string | undefined;
  readonly isDemanded: boolean;
}

function signedAnswer(key: ProofSigner, { answer, second, target, method, request, isDemanded }: Signing): Answer {
  const { status, body, headers } = answer;
  const content = typeof body === "string" ? Buffer.from(body) : body;
  const named = {
    ...headers,
    Vary: [headers["Vary"] ?? "Origin", "Accept-Signature"].join(", "),
    ...(content && { "Content-Digest": digestOf(content) }),
    "Content-Location": target,
  };
  const response = new Map(Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]));
  const values = responseValues({
    response: new Map([["@status", String(status)], ...response]),
    request: new Map([["@method", method], ...targetComponents(target)]),
  });
  const own: Parameters = new Map<string, BareItem>([
    ["created", second],
    ["keyid", key.keyId],
    ["alg", "ed25519"],
  ]);
  const signature = honoured(request, values, own) ?? (isDemanded ? standard([...response.keys()], own) : undefined);
  if (signature === undefined) return answer;
  const { label, covered } = signature;
  return withOtherHeaders(answer, {
    ...named,
    "Signature-Input": `${label}=${innerListText(covered)}`,
    Signature: `${label}=:${key.sign(signatureBase(covered, values)).toString("base64")}:`,
  });
}

/** Cached digests by body, because the same body is sent many times with different headers. */
const digests = new WeakMap<Buffer, string>();

function digestOf(content: Buffer): string {
  let digest = digests.get(content);
  if (digest === undefined) {
    digest = contentDigest(content);
    digests.set(content, digest);
  }
  return digest;
}

interface Signature {
  readonly label: string;
  readonly covered: InnerList;
}

const always = [component("@status"), requestComponent("@path"), requestComponent("@query")];

/**
 * The default signature, which covers the status, the path and query of the request, and every header that describes
 * the data.
 */
function standard(headers: readonly string[], parameters: Parameters): Signature {
  const items = [...always, ...headers.filter(isSignedHeader).map(component)];
  return { label: SIGNATURE_LABEL, covered: { items, parameters } };
}

/**
 * The first signature of `Accept-Signature` that can be made as requested (RFC 9421, section 5.2); undefined if there
 * is none.
 */
function honoured(request: string | undefined, values: ComponentValue, own: Parameters): Signature | undefined {
  if (request === undefined || request.length > REQUEST_CHARACTERS_MAX) return undefined;
  for (const [label, member] of dictionaryIn(request) ?? []) {
    if (!isInnerList(member) || member.items.length === 0) continue;
    const parameters = withRequested(own, member.parameters);
    if (parameters === undefined || unusableComponent(member, values) !== undefined) continue;
    return { label, covered: { items: member.items, parameters } };
  }
  return undefined;
}

/**
 * The parameters of a signature, including the requested ones; undefined if a requested parameter cannot be honoured.
 */
function withRequested(own: Parameters, requested: Parameters): Parameters | undefined {
  const parameters = new Map(own);
  for (const [name, value] of requested) {
    const isOwn = name === "created" ? value === true : own.get(name) === value;
    if (name === "nonce" || name === "tag") {
      if (typeof value !== "string") return undefined;
      parameters.set(name, value);
    } else if (!isOwn) return undefined;
  }
  return parameters;
}
