import { type AnswerFormat, contentTypeOf } from "../../contract/answer-format.js";
import { failure } from "../../contract/failures.js";
import type { FeedFormat } from "../../contract/feed.js";
import type { RegisteredLinkedFeed } from "../../contract/linked-feed.js";
import { acceptedFormat } from "../accepted-format.js";
import type { Answer, Exchange } from "../exchange.js";
import { type PortParts, readCall } from "../ports.js";
import { readFeedQuery } from "../query.js";
import { matchingEtag, representation, tagOf } from "../representation.js";
import { feedText } from "./feed-text.js";

export interface LinkedFeedParts extends PortParts {
  /** Origin at which callers reach this service, such as `https://vigil.example`. */
  readonly origin: string;
}

/** Name that the audit log shows for callers of linked feeds. */
const ACTOR = "link";

/** The formats of a linked feed. The first is for feed readers that state no preference. */
const FORMATS = ["atom", "jsonfeed"] as const;

/** Answers with the feed that a link leads to. The link is the credential, so no shared cache may keep the answer. */
export async function linkedFeedAnswer(
  parts: LinkedFeedParts,
  exchange: Exchange,
  { feed: declared }: RegisteredLinkedFeed,
): Promise<Answer> {
  const { clock, openPorts, origin } = parts;
  const { call, cors, search } = exchange;
  if (call.batchedFor !== undefined) {
    const description = "must not be a feed, because a batch returns JSON only";
    throw failure("validation", { violations: [{ field: "path", description }] });
  }
  const { values, notice, frame } = readFeedQuery(declared, search, clock.now());
  const format = namedFormat(frame.format) ?? acceptedFormat(call.header("accept"), FORMATS);
  const ports = openPorts(declared.uses, readCall(parts, exchange, ACTOR));
  // The cast is safe, because the query was parsed with the fields of this feed.
  const feed = await declared.run(values as never, ports);
  if (feed === undefined) throw failure("notFound", null);
  const body = feedText(format, feed, { origin, self: call.target });
  const sent = representation(body, tagOf([body]));
  const headers = {
    ...cors,
    Vary: "Accept, Origin",
    "Cache-Control": "private, no-cache",
    ...(sent.etag !== undefined && { ETag: sent.etag }),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    ...(notice !== undefined && { "X-Vigil-Notice": notice }),
  };
  const held = call.header("if-none-match");
  if (held !== undefined && matchingEtag(held, sent) !== undefined) return { status: 304, headers, body: undefined };
  return { status: 200, headers: { ...headers, "Content-Type": contentTypeOf(format) }, body: sent.identity };
}

/** The feed format that the parameter `format` requests. `json` also means JSON Feed, because older links use it. */
function namedFormat(format: AnswerFormat | undefined): FeedFormat | undefined {
  if (format === undefined) return undefined;
  const named = FORMATS.find((name) => name === (format === "json" ? "jsonfeed" : format));
  if (named !== undefined) return named;
  const description = `must be one of ${FORMATS.join(", ")} here: the answer is a feed`;
  throw failure("validation", { violations: [{ field: "format", description }] });
}
