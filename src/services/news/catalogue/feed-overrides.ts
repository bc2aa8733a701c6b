import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { FeedTier } from "../digest-records.js";
import { type Feed, FeedRow, feedOf, isRecord, problemOf, problemsOfRow, shown } from "./feed-row.js";

const tiers = [1, 2, 3, 4] as const satisfies readonly FeedTier[];

/** The operator's changes to the catalogue. */
export const FeedOverrides = Type.Object(
  {
    add: Type.Optional(Type.Array(FeedRow, { description: "a list of feeds, each with all required members" })),
    remove: Type.Optional(Type.Array(Type.String(), { description: "a list of ids" })),
    retier: Type.Optional(
      Type.Record(Type.String(), Type.Enum([...tiers]), { description: "an object from ids to tiers" }),
    ),
  },
  { additionalProperties: false },
);

export type FeedOverrides = Static<typeof FeedOverrides>;

const members = Object.keys(FeedOverrides.properties).join(", ");

/** Parses overrides from a JSON value. Throws an error with one line for each problem. */
export function parseFeedOverrides(value: unknown): FeedOverrides {
  refuse(problemsOf(value));
  // The checks above should cover everything. The schema catches any case that they miss.
  if (!Value.Check(FeedOverrides, value)) throw new Error(`feed overrides must have the members ${members}`);
  return value;
}

/**
 * Removes feeds from the list, appends the added ones and applies the operator's tiers. If an id is both removed and
 * added, its feed is replaced. Throws an error with one line for each unknown id and each duplicate id or address.
 */
export function applyFeedOverrides(
  list: readonly Feed[],
  { add = [], remove = [], retier = {} }: FeedOverrides,
): readonly Feed[] {
  const gone = new Set(remove);
  const kept = list.filter(({ id }) => !gone.has(id));
  const feeds = [...kept, ...add.map(feedOf)];
  refuse([
    ...remove.flatMap((id, index) => problemOfId(`remove[${index}]`, id, list)),
    ...add.flatMap((row, index) => problemsOfAdded(row, index, feeds.slice(0, kept.length + index))),
    ...Object.keys(retier).flatMap((id) => problemOfId("retier", id, feeds)),
  ]);
  return feeds.map((feed) => {
    const tier = Object.hasOwn(retier, feed.id) ? retier[feed.id] : undefined;
    return tier === undefined ? feed : { ...feed, tier, tierSetBy: "operator" };
  });
}

/**
 * Extends the overrides so that they exclude dead feeds: dead built-in feeds are removed, and dead feeds of the
 * operator are not added.
 */
export function overridesWithout(
  dead: ReadonlySet<string>,
  { add = [], remove = [], retier = {} }: FeedOverrides,
): FeedOverrides {
  const added = new Set(add.map(({ id }) => id));
  const kept = add.filter(({ id }) => !dead.has(id));
  const removed = [...new Set([...remove, ...[...dead].filter((id) => !added.has(id))])].sort();
  const tiers = Object.entries(retier).filter(([id]) => !dead.has(id));
  return {
    ...(kept.length > 0 && { add: kept }),
    ...(removed.length > 0 && { remove: removed }),
    ...(tiers.length > 0 && { retier: Object.fromEntries(tiers) }),
  };
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`feed overrides: ${problems.join("\n")}`);
}

function problemsOf(value: unknown): readonly string[] {
  if (!isRecord(value)) return [`must be an object with ${members}, got ${shown(value)}`];
  const { add = [], remove = [], retier = {} } = value;
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(FeedOverrides.properties, name));
  return [
    ...unknown.map((name) => `${name} is an unknown member; the known members are ${members}`),
    ...(Array.isArray(add) ? add.flatMap(problemsOfAddition) : [mustBe("add", add)]),
    ...(Value.Check(FeedOverrides.properties.remove, remove) ? [] : [mustBe("remove", remove)]),
    ...(isRecord(retier) ? Object.entries(retier).flatMap(problemsOfTier) : [mustBe("retier", retier)]),
  ];
}

function mustBe(name: keyof typeof FeedOverrides.properties, value: unknown): string {
  return problemOf(name, FeedOverrides.properties[name], value);
}

const addition = (row: unknown, index: number): string => {
  return isRecord(row) && typeof row["id"] === "string" ? `add[${index}] (${row["id"]})` : `add[${index}]`;
};

function problemsOfAddition(row: unknown, index: number): readonly string[] {
  return problemsOfRow(row).map((problem) => `${addition(row, index)}: ${problem}`);
}

function problemsOfTier([id, tier]: readonly [string, unknown]): readonly string[] {
  const isTier = tiers.some((candidate) => candidate === tier);
  return isTier ? [] : [`retier of ${id} must be one of ${tiers.join(", ")}, got ${shown(tier)}`];
}

function problemsOfAdded(row: FeedRow, index: number, before: readonly Feed[]): readonly string[] {
  const sameAddress = before.find(({ id, url }) => id !== row.id && addressOf(url) === addressOf(row.url));
  return [
    ...(before.some(({ id }) => id === row.id)
      ? [`${addition(row, index)}: id must be new, and this one is taken; name it in remove as well to replace it`]
      : []),
    ...(sameAddress ? [`${addition(row, index)}: url must be new, and ${sameAddress.id} has it already`] : []),
  ];
}

/** Normalises an address for comparison: ignores the scheme, `www.`, the host's case and a trailing slash. */
function addressOf(url: string): string {
  return new URL(url).href.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
}

function problemOfId(where: string, id: string, feeds: readonly Feed[]): readonly string[] {
  if (feeds.some((feed) => feed.id === id)) return [];
  const near = feeds.map((feed) => feed.id).filter((feedId) => feedId.includes(id) || sharedStart(feedId, id) >= 4);
  const hint = near.length > 0 ? `; similar ids are ${near.slice(0, 3).join(", ")}` : "";
  return [`${where} must name a feed of the catalogue, got "${id}"${hint}`];
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
