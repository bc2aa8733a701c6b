import type { TokenSigner } from "../kit/signed-token.js";
import { textOfLength } from "./value-fields.js";

/** Longest token, in characters. */
const TOKEN_CHARACTERS_MAX = 128;

/** The target of a link. */
export interface FeedLink {
  /** Id of the feed's subject. Without spaces. */
  readonly subject: string;
  /** Incremented to revoke earlier links. */
  readonly revision: number;
}

/** Creates and opens the links to one linked feed, which callers read with a token instead of a key. */
export interface FeedLinks {
  /** Returns the path and query of the feed, without the parameter `format`. */
  path(signer: TokenSigner, link: FeedLink): string;
  /** Returns the target in a token; undefined if this store did not sign the token. */
  open(signer: TokenSigner, token: string): FeedLink | undefined;
}

/** The query parameter of a linked feed. Its value is the token of the link. */
export const feedToken = textOfLength("The token of the link", { minLength: 1, maxLength: TOKEN_CHARACTERS_MAX });

/**
 * The links to a linked feed at `path`. Their tokens are signed by the store, so that they cannot be guessed and need
 * no table; `prefix` distinguishes them from all other tokens.
 */
export function feedLinks(prefix: string, path: string): FeedLinks {
  return {
    path: (signer, { subject, revision }) => `${path}?token=${signer.sign(prefix, `${subject} ${revision}`)}`,
    open(signer, token) {
      const payload = token.length <= TOKEN_CHARACTERS_MAX ? signer.open(prefix, token) : undefined;
      const [subject, revision] = payload?.split(" ") ?? [];
      return subject === undefined ? undefined : { subject, revision: Number(revision) };
    },
  };
}
