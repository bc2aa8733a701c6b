import { upstreamClient } from "../app/builder.js";
import { type Config, ConfigError } from "../app/config.js";
import type { DoctorAsked } from "../cli/program.js";
import type { Clock } from "../kit/clock.js";
import { digestVariants, isDigestVariant } from "../services/news/catalogue/digest-variants.js";
import { type FeedOverrides, parseFeedOverrides } from "../services/news/catalogue/feed-overrides.js";
import type { Feed } from "../services/news/catalogue/feed-row.js";
import type { Services } from "../services/registry.js";
import { type DoctorOptions, examine, findingTable } from "./doctor.js";
import { type CheckedFeed, checkFeeds, feedCounts, feedTable, overridesWithout } from "./feed-doctor.js";
import { FEEDS_SETTING, newsCatalogue } from "./news-catalogue.js";

/** What a command prints, and whether it found something that makes its exit code 1. */
export interface Diagnosis {
  readonly text: string;
  readonly isBad: boolean;
}

/** `vigil doctor`: bad where something failed. */
export async function diagnose(
  options: DoctorOptions,
  { json, lang, variant, overrides }: DoctorAsked,
): Promise<Diagnosis> {
  const ofFeeds = Object.entries({ lang, variant, overrides }).find(([, value]) => value !== undefined);
  if (ofFeeds) throw new ConfigError(`--${ofFeeds[0]} belongs to --feeds`);
  const findings = await examine(options);
  const text = json ? JSON.stringify(findings, null, 2) : findingTable(findings);
  return { text, isBad: findings.some(({ state }) => state === "failed") };
}

export interface FeedDiagnosisOptions {
  readonly services: Services;
  readonly config: Config;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly onChecked?: (count: number, of: number) => void;
}

/** `vigil doctor --feeds`: bad where a feed is dead or the check was cancelled. Nothing is stored. */
export async function diagnoseFeeds(options: FeedDiagnosisOptions, asked: DoctorAsked): Promise<Diagnosis> {
  const { services, config, clock } = options;
  const feeds = chosenFeeds(newsCatalogue(services, config), asked);
  const client = await upstreamClient({
    ...{ config, clock, upstreamBase: config.upstreamBase },
    // Nothing is stored, so a simulator or a mirror may be asked as well.
    acceptSimulated: true,
    // Each feed answers for itself, also where many of one host fail.
    limits: { failuresMax: Number.POSITIVE_INFINITY },
  });
  try {
    const checked = await checkFeeds({ ...options, feeds, client });
    const isBad = checked.length < feeds.length || feedCounts(checked).dead > 0;
    return { text: reported(checked, feeds.length, config, asked), isBad };
  } finally {
    await client.close();
  }
}

function reported(
  checked: readonly CheckedFeed[],
  count: number,
  { given }: Config,
  { json, overrides }: DoctorAsked,
): string {
  if (overrides) {
    const dead = checked.filter(({ state }) => state === "dead").map(({ id }) => id);
    // Also what a machine without a network would say of every feed.
    if (dead.length === checked.length)
      throw new ConfigError("no feed answered; nothing would be left of the catalogue");
    return JSON.stringify(overridesWithout(new Set(dead), overridesIn(given[FEEDS_SETTING])));
  }
  if (json) return JSON.stringify({ asked: count, states: feedCounts(checked), feeds: checked }, null, 2);
  return feedTable(checked, count);
}

/** The operator's own changes. */
function overridesIn(text: string | undefined): FeedOverrides {
  return text === undefined ? {} : parseFeedOverrides(JSON.parse(text));
}

function chosenFeeds(feeds: readonly Feed[], { lang, variant }: DoctorAsked): readonly Feed[] {
  if (variant !== undefined && !isDigestVariant(variant)) {
    throw new ConfigError(`--variant must be one of ${Object.keys(digestVariants).join(", ")}, got ${variant}`);
  }
  const languages = [...new Set(feeds.map(languageOf))].sort();
  if (lang !== undefined && !languages.includes(lang)) {
    throw new ConfigError(`--lang must be one of ${languages.join(", ")}, got ${lang}`);
  }
  const chosen = feeds.filter(
    (feed) =>
      (lang === undefined || languageOf(feed) === lang) &&
      (variant === undefined || feed.placements.some((placement) => placement.variant === variant)),
  );
  // Nothing asked would look like nothing wrong, and with --overrides like a machine without a network.
  if (chosen.length === 0) throw new ConfigError("no feed of the catalogue is of this language and variant");
  return chosen;
}

const languageOf = ({ language = "en" }: Feed): string => language;
