import { storeJob } from "../../../../database/service-store.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import { materialEvents } from "../../../intelligence/datasets/material-events.js";
import { newsFeeds } from "../../../news/datasets/news-feeds.js";
import { sanctionsLists } from "../../../sanctions/datasets/sanctions-lists.js";
import type { MonitoringProvider } from "../../records.js";
import { filingsProvider } from "../../scan/providers/filings.js";
import { newsProvider } from "../../scan/providers/news.js";
import { sanctionsProvider } from "../../scan/providers/sanctions.js";
import { readyProvider } from "../../scan/ready-provider.js";
import { searchedPhrases } from "../../scan/search/searched-phrases.js";
import { newsSearch } from "../../sources/brave-news.js";
import { recentPosts } from "../../sources/x-posts.js";
import type { RequiredProviders } from "./requested-scans.js";
import { scanRound } from "./scan-round.js";

const EVERY_MS = 30 * SECOND_MS;

/** Scans due companies. It reads only collected datasets and sends no requests. */
export const scanJob = storeJob({
  name: "company scan",
  everyMs: EVERY_MS,
  reads: { filings: materialEvents, news: newsFeeds, sanctions: sanctionsLists },
  async run(parts, { snapshots, turns, signal }) {
    const facts = { now: parts.clock.now(), settingOf: parts.settingOf };
    const providers = [
      ...readyProvider(filingsProvider, snapshots.filings, facts),
      ...readyProvider(newsProvider, snapshots.news, facts),
      ...readyProvider(sanctionsProvider, snapshots.sanctions, facts),
    ];
    // Paid searches run in jobs of their own. Here, they are only listed as required providers.
    const searches: readonly MonitoringProvider[] = [
      ...(parts.isConfigured(newsSearch) ? (["MONITORING_PROVIDER_SEARCH"] as const) : []),
      ...(parts.isConfigured(recentPosts) ? (["MONITORING_PROVIDER_SOCIAL"] as const) : []),
    ];
    const required: RequiredProviders = (company) => [
      ...providers.flatMap(({ provider, appliesTo }) => (appliesTo(company) ? [provider] : [])),
      ...(searchedPhrases(company).length > 0 ? searches : []),
      "MONITORING_PROVIDER_REGISTER",
    ];
    await scanRound(parts, { providers, required, turns, signal });
  },
});
