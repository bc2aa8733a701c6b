import { MINUTE_MS } from "../../../kit/clock.js";
import { keyTrouble } from "../../../simulator/demo-key.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { type Rumour, rumoursOf } from "./models/rumours.js";

/** X's search of recent posts: two posts about each name. */
export const upstream = simulatedUpstream({
  name: "x-posts",
  credentials: { VIGIL_X_BEARER_TOKEN: "demo-x-bearer-token" },
  routes: [
    {
      host: "api.x.com",
      path: "/2/tweets/search/recent",
      handle: answerPosts,
      variants: {
        changed: (json) => json.replace('"meta":', '"about":'),
        empty: () => JSON.stringify({ meta: { result_count: 0 } }),
        badRow: (json) => rewriteMiddle(json, /"created_at":"[^"]*"/g, () => '"created_at":"lately"'),
      },
    },
  ],
});

/** Post ids contain the milliseconds since this instant. Epoch ms. */
const ID_EPOCH = 1_288_834_974_657;
const ID_SHIFT = 22n;
const REACH_MINUTES = 7 * 24 * 60;
const QUERY_CHARACTERS_MAX = 512;

function answerPosts({ url, headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
  const trouble = token === "" ? "wrong" : keyTrouble(token);
  if (trouble === "wrong") return problem(401, "Unauthorized");
  if (trouble === "spent") return problem(429, "Too Many Requests");
  const param = (name: string): string => url.searchParams.get(name) ?? "";
  const [start, end] = [Date.parse(param("start_time")), Date.parse(param("end_time"))];
  const isTooEarly = start < clock.now() - REACH_MINUTES * MINUTE_MS;
  if (param("query") === "" || param("query").length > QUERY_CHARACTERS_MAX || isTooEarly || !(start < end)) {
    return problem(400, "Invalid Request");
  }
  const posts = rumoursOf(param("query"), clock.now(), seed)
    .flatMap(postsAbout)
    .filter(({ at }) => at >= start && at < end)
    .sort((a, b) => b.at - a.at)
    .slice(0, Number(param("max_results") || 10));
  if (posts.length === 0) return json(200, { meta: { result_count: 0 } });
  const data = posts.map(({ at, text }) => {
    const id = String(BigInt(at - ID_EPOCH) << ID_SHIFT);
    return { id, text, created_at: new Date(at).toISOString(), edit_history_tweet_ids: [id] };
  });
  const [newest, oldest] = [data[0]?.id, data.at(-1)?.id];
  return json(200, { data, meta: { newest_id: newest, oldest_id: oldest, result_count: data.length } });
}

function postsAbout({ title, name, at, hash }: Rumour) {
  return [
    { at: at + (hash % 997), text: `Just read this: ${title} https://t.co/${hash.toString(36)}` },
    { at: at + 7 * MINUTE_MS + (hash % 991), text: `Anyone at ${name} who can confirm? &amp; since when?` },
  ];
}

function problem(status: number, title: string): SimulatedAnswer {
  return json(status, { title, status, type: "about:blank", detail: `Simulated: ${title}` });
}

function json(status: number, value: unknown): SimulatedAnswer {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(value) };
}
