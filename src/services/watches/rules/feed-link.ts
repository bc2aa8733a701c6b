import type { TokenSigner } from "../../../kit/signed-token.js";

const PREFIX = "wfd1";

/** Longest token, in characters. */
export const FEED_TOKEN_CHARACTERS_MAX = 128;

/** The feed that a link leads to. */
export interface FeedLink {
  readonly watchId: string;
  /** Raised to end the links from before. */
  readonly revision: number;
}

/** The token of a link: signed by this store, so that it cannot be guessed and needs no table. */
export function feedToken(signer: TokenSigner, { watchId, revision }: FeedLink): string {
  return signer.sign(PREFIX, `${watchId} ${revision}`);
}

/** The feed of a token; undefined if this store did not sign it. */
export function openFeedToken(signer: TokenSigner, token: string): FeedLink | undefined {
  const payload = token.length <= FEED_TOKEN_CHARACTERS_MAX ? signer.open(PREFIX, token) : undefined;
  const [watchId, revision] = payload?.split(" ") ?? [];
  return watchId === undefined ? undefined : { watchId, revision: Number(revision) };
}

/** Path and query of the feed, without its format. */
export function feedPath(signer: TokenSigner, link: FeedLink): string {
  return `/api/watches/v1/get-watch-feed?token=${feedToken(signer, link)}`;
}
