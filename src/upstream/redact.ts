import { SourceFailure, type SourceRequest } from "../contract/source.js";

/**
 * Length of the shortest value that is redacted. Shorter values are too weak to be secrets, and redacting them would
 * blank out ordinary words.
 */
const SECRET_LENGTH_MIN = 4;

/** Returns every encoding in which a secret of the request could appear in an upstream's text, longest first. */
export function secretsOf(request: SourceRequest): readonly string[] {
  const { secretQuery, secretHeaders, secretForm } = request;
  const values = [secretQuery, secretHeaders, secretForm].flatMap((members) => Object.values(members ?? {}));
  // In "Bearer abc", the credential alone is as secret as the whole header.
  const spellings = values.flatMap((value) => [value, ...value.split(/\s+/)]).flatMap(urlSpellings);
  const usable = new Set(spellings.filter((spelling) => spelling.length >= SECRET_LENGTH_MIN));
  return [...usable]
    .filter((spelling) => !/^(bearer|basic|token)$/i.test(spelling))
    .sort((a, b) => b.length - a.length);
}

/** Replaces every secret in `text`. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), text);
}

/** Redacts a failure and its cause, because both are logged. */
export function redactFailure(failure: SourceFailure, secrets: readonly string[]): SourceFailure {
  return new SourceFailure(failure.kind, redact(failure.message, secrets), {
    status: failure.status,
    retryAt: failure.retryAt,
    ...(failure.cause === undefined ? {} : { cause: plainCause(failure.cause, secrets) }),
  });
}

/**
 * Keeps only name, code and message, because the HTTP library's errors also contain sockets, headers and bytes of the
 * answer.
 */
function plainCause(cause: unknown, secrets: readonly string[]): Error {
  if (!(cause instanceof Error)) return new Error(redact(String(cause), secrets));
  const plain = new Error(redact(describeError(cause), secrets));
  plain.name = cause.name;
  return plain;
}

/**
 * Describes an error in one line, beginning with its code. The message of an `AggregateError` is empty, so its errors
 * are described instead.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const message = error.message || parts.map(describeError).join("; ");
  return [code, message].filter((part) => part !== "").join(": ") || error.name;
}

function urlSpellings(value: string): readonly string[] {
  return [value, encodeURIComponent(value), encodeURI(value), new URLSearchParams([["", value]]).toString().slice(1)];
}
