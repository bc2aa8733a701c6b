import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: { "list-feed-digest": { kind: "elsewhere", file: "test/digest.test.ts" } },
  datasets: {
    "news-feeds": { kind: "elsewhere", file: "test/digest.test.ts" },
    "digest-<variant>-<language>": { kind: "elsewhere", file: "test/digest.test.ts" },
  },
  payloads: {
    "news-feeds": "news/guardian-rss20.xml",
    "topic-feeds": "news/guardian-rss20.xml",
    "open-feeds": "news/guardian-rss20.xml",
  },
};
