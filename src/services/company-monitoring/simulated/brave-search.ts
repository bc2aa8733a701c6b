import { keyTrouble } from "../../../simulator/demo-key.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { type Rumour, rumoursOf } from "./models/rumours.js";

/** Brave's news search: one article about each name that the query has in quotation marks (see `rumoursOf`). */
export const upstream = simulatedUpstream({
  name: "brave-search",
  credentials: { VIGIL_BRAVE_SEARCH_KEY: "demo-brave-search-key" },
  routes: [
    {
      host: "api.search.brave.com",
      path: "/res/v1/news/search",
      handle: answerNews,
      variants: {
        changed: (json) => json.replace('"results":', '"articles":'),
        empty: (json) => json.replace(/"results":\[.*\]\}$/s, '"results":[]}'),
        badRow: (json) => rewriteMiddle(json, /"url":"[^"]*"/g, () => '"url":7'),
      },
    },
  ],
});

function answerNews({ url, headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const key = String(headers["x-subscription-token"] ?? "");
  const trouble = key === "" ? "wrong" : keyTrouble(key);
  if (trouble === "wrong") return refusal(422, "SUBSCRIPTION_TOKEN_INVALID", clock.now());
  if (trouble === "spent") return refusal(429, "QUOTA_LIMITED", clock.now());
  const text = url.searchParams.get("q") ?? "";
  if (text === "") return refusal(422, "VALIDATION", clock.now());
  const countMax = Number(url.searchParams.get("count") ?? 20);
  return json(200, {
    type: "news",
    query: { original: text, spellcheck_off: true, show_strict_warning: false },
    results: rumoursOf(text, clock.now(), seed)
      .slice(0, countMax)
      .map((rumour) => resultOf(rumour, clock.now())),
  });
}

function resultOf({ title, name, hash, at }: Rumour, now: number) {
  const path = `/${hash.toString(36)}`;
  return {
    type: "news_result",
    title,
    url: `https://www.rumours.example${path}?utm_source=search`,
    description: `Shop owners told a local paper that <strong>${name}</strong> &amp; others are affected.`,
    age: `${Math.round((now - at) / 3_600_000)} hours ago`,
    page_age: new Date(at).toISOString().slice(0, 19),
    page_fetched: `${new Date(now).toISOString().slice(0, 19)}Z`,
    meta_url: { scheme: "https", netloc: "rumours.example", hostname: "www.rumours.example", favicon: "", path },
  };
}

function refusal(status: number, code: string, now: number): SimulatedAnswer {
  const error = { id: "simulated", status, code, detail: `Simulated: ${code}`, meta: {} };
  return json(status, { type: "ErrorResponse", error, time: Math.floor(now / 1_000) });
}

function json(status: number, value: unknown): SimulatedAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}
