import { upstreamClient } from "../../app/builder.js";
import { type Config, ConfigError } from "../../app/config.js";
import type { FeedCatalogue, PublishedFeed } from "../../contract/feed-catalogue.js";
import { settingReader } from "../../contract/setting.js";
import type { Clock } from "../../kit/clock.js";
import type { Services } from "../../services/registry.js";
import type { Diagnosis, DoctorOptions } from "./diagnosis.js";
import { type CheckedFeed, checkFeeds, feedCounts, feedTable } from "./feed-check.js";

export interface FeedDiagnosis {
  readonly services: Pick<Services, "feedCatalogue">;
  readonly config: Config;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly onChecked?: (count: number, of: number) => void;
}

/** Runs `vigil doctor --feeds`. The result is bad if a feed is dead or the check was cancelled. Stores nothing. */
export async function diagnoseFeeds(parts: FeedDiagnosis, options: DoctorOptions): Promise<Diagnosis> {
  const { config, clock } = parts;
  const { feedCatalogue } = parts.services;
  if (feedCatalogue === undefined) throw new ConfigError("no service reads feeds");
  const feeds = chosenFeeds(await feedCatalogue.feeds(settingReader(config.texts)), feedCatalogue, options);
  const client = await upstreamClient({
    config,
    clock,
    upstreamBase: config.upstreamBase,
    // Nothing is stored, so requests to a simulator or a mirror are allowed too.
    acceptSimulated: true,
    // Failures never stop the requests to a host, so that each of its feeds is requested.
    limits: { failuresMax: Number.POSITIVE_INFINITY },
  });
  try {
    const checked = await checkFeeds({ ...parts, feeds, client });
    const isBad = checked.length < feeds.length || feedCounts(checked).dead > 0;
    if (options.overrides) return { text: await overridesText(checked, feedCatalogue, config), isBad };
    if (!options.json) return { text: feedTable(checked, feeds.length), isBad };
    const report = { asked: feeds.length, states: feedCounts(checked), feeds: checked };
    return { text: JSON.stringify(report, null, 2), isBad };
  } finally {
    await client.close();
  }
}

/** Builds the operator's setting that excludes the dead feeds. Throws if no feed answered. */
async function overridesText(
  checked: readonly CheckedFeed[],
  catalogue: FeedCatalogue,
  { texts }: Config,
): Promise<string> {
  const dead = new Set(checked.filter(({ state }) => state === "dead").map(({ id }) => id));
  // Without a network, every feed would look dead.
  if (dead.size === checked.length) {
    throw new ConfigError("no feed answered, so the setting would remove the whole catalogue");
  }
  return catalogue.withoutDead(dead, texts[catalogue.setting]);
}

/** Selects the feeds that pass every filter. Throws if a value matches no feed, or no feed passes all filters. */
function chosenFeeds(
  feeds: readonly PublishedFeed[],
  { filters }: FeedCatalogue,
  options: DoctorOptions,
): readonly PublishedFeed[] {
  let chosen = feeds;
  const words: string[] = [];
  for (const { option, valuesOf } of filters) {
    const value = options[option];
    if (typeof value !== "string") continue;
    const values = [...new Set(feeds.flatMap(valuesOf))].sort();
    if (!values.includes(value)) throw new ConfigError(`--${option} must be one of ${values.join(", ")}, got ${value}`);
    chosen = chosen.filter((feed) => valuesOf(feed).includes(value));
    words.push(`--${option} ${value}`);
  }
  // An empty selection would pass the check unnoticed, and --overrides would print an empty setting.
  if (chosen.length === 0) throw new ConfigError(`no feed of the catalogue matches ${words.join(" and ")}`);
  return chosen;
}
