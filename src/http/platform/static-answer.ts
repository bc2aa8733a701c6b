import { createHash } from "node:crypto";
import type { Answer, Exchange } from "../exchange.js";
import { bytesOf, encodingFor, etagOf, matchingEtag, type Representation, representation } from "../representation.js";

/**
 * Answers with a page or file that rarely changes. The content is compressed once and has an ETag. Callers wait for the
 * compression, because such files are large and each browser loads them once.
 */
export function staticAnswer(
  load: () => Answer | Promise<Answer>,
  onFault: (error: unknown) => void,
): (exchange: Exchange) => Promise<Answer> {
  let kept: { readonly of: Answer["body"]; readonly body: Representation } | undefined;
  return async ({ call }) => {
    const loaded = await load();
    if (loaded.status !== 200 || loaded.body === undefined) return loaded;
    if (kept?.of !== loaded.body) kept = { of: loaded.body, body: representation(loaded.body, tagOf(loaded.body)) };
    const { body } = kept;
    const headers = { ...loaded.headers, Vary: "Accept-Encoding, Origin", "X-Content-Type-Options": "nosniff" };
    const heldEtag = matchingEtag(call.header("if-none-match") ?? "", body);
    if (heldEtag !== undefined) return { status: 304, headers: { ...headers, ETag: heldEtag }, body: undefined };
    const encoding = await encodingFor(body, compressedOnly(call.header("accept-encoding")), onFault);
    return {
      status: 200,
      headers: {
        ...headers,
        ETag: etagOf(body.tag ?? "", encoding),
        ...(encoding !== "identity" && { "Content-Encoding": encoding }),
      },
      body: bytesOf(body, encoding),
    };
  };
}

function tagOf(body: Buffer | string): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 27);
}

/** Returns the caller's `Accept-Encoding` with `identity` refused, so that the answer waits for a compressed form. */
function compressedOnly(acceptEncoding: string | undefined): string | undefined {
  return acceptEncoding === undefined ? undefined : `${acceptEncoding}, identity;q=0`;
}
