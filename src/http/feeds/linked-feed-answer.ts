import { failure } from "../../contract/failures.js";
import type { Feed, FeedFormat } from "../../contract/feed.js";
import type { RegisteredLinkedFeed } from "../../contract/linked-feed.js";
import type { Answer, Exchange } from "../exchange.js";
import { type PortParts, readCall } from "../ports.js";
import { readFeedQuery } from "../query.js";
import { matchingEtag, representation, tagOf } from "../representation.js";
import { atomText, type FeedPlace, jsonFeedText } from "./feed-text.js";

export interface LinkedFeedParts extends PortParts {
  /** Origin of this service for its callers, such as `https://vigil.example`. */
  readonly origin: string;
}

/** Name of such callers in the audit log. */
const ACTOR = "link";

interface Form {
  readonly type: string;
  readonly text: (feed: Feed, place: FeedPlace) => string;
}

const forms: Readonly<Record<FeedFormat, Form>> = {
  atom: { type: "application/atom+xml; charset=utf-8", text: atomText },
  json: { type: "application/feed+json; charset=utf-8", text: jsonFeedText },
};

/** Answers with the feed that a link leads to. The link is the credential, so no shared cache may keep the answer. */
export async function linkedFeedAnswer(
  parts: LinkedFeedParts,
  exchange: Exchange,
  { feed: declared }: RegisteredLinkedFeed,
): Promise<Answer> {
  const { clock, openPorts, origin } = parts;
  const { call, cors, search } = exchange;
  if (call.batchedFor !== undefined) {
    const description = "must not be a feed, which is not JSON";
    throw failure("validation", { violations: [{ field: "path", description }] });
  }
  const { values, notice } = readFeedQuery(declared, search, clock.now());
  const ports = openPorts(declared.uses, readCall(parts, exchange, ACTOR));
  // The query was parsed by the fields of this feed, and `linkedFeed()` adds the format to them.
  const feed = await declared.run(values as never, ports);
  if (feed === undefined) throw failure("notFound", null);
  const { type, text } = forms[values["format"] as FeedFormat];
  const body = text(feed, { origin, self: call.target });
  const sent = representation(body, tagOf([body]));
  const headers = {
    ...cors,
    "Cache-Control": "private, no-cache",
    ...(sent.etag !== undefined && { ETag: sent.etag }),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    ...(notice !== undefined && { "X-Vigil-Notice": notice }),
  };
  const held = call.header("if-none-match");
  if (held !== undefined && matchingEtag(held, sent) !== undefined) return { status: 304, headers, body: undefined };
  return { status: 200, headers: { ...headers, "Content-Type": type }, body: sent.identity };
}
