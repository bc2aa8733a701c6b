import type { SourceFailureKind } from "../contract/source.js";

/** The failure of a source, or an internal error of this software (`internal`). */
export interface PartFailure {
  readonly kind: SourceFailureKind | "internal";
  readonly message: string;
  readonly retryAt?: number | undefined;
}

const MESSAGE_LENGTH_MAX = 300;

/**
 * Describes an internal error that ended the reading of a part or the build of a product. Everyone who reads the health
 * of the service sees the description, so it omits the message of a system or database error, which can contain paths
 * and queries.
 */
export function internalFailure(error: unknown): PartFailure {
  const isShown = error instanceof Error && !("code" in error);
  const message = isShown ? `internal error: ${error.message}` : "internal error; see the log";
  return { kind: "internal", message: message.slice(0, MESSAGE_LENGTH_MAX) };
}
