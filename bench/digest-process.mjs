// Builds a news digest several times from generated feeds, as the service builds it, and reports the CPU time of each
// build. The first build starts without stories; each later build remembers the stories of the previous build.
// argv: number of feeds, items per feed, number of builds.
import { silentTally } from "../dist/contract/row-tally.js";
import { readRows } from "../dist/ingest/read-rows.js";
import { firstRequests } from "../dist/ingest/requests.js";
import { buildDigest } from "../dist/services/news/rules/build-digest.js";
import { classifyTitle } from "../dist/services/news/rules/titles/threat-class.js";
import { newsFeeds } from "../dist/services/news/sources/news-feeds.js";
import { feedsOf, NOW } from "./digest-feeds.mjs";

const [count, items, passes] = process.argv.slice(2).map(Number);
const CATEGORIES = 17;
const feeds = feedsOf(count, items);
const requests = firstRequests(newsFeeds, {
  feeds: feeds.map(({ facts: { id } }) => id),
  due: feeds.map(({ facts: { id } }) => ({ id, url: `https://${id}.example/feed`, isStored: false })),
});
const categories = Array.from({ length: CATEGORIES }, (_, category) => ({
  category: `category-${category}`,
  feeds: feeds.flatMap(({ facts }, feed) => (feed % CATEGORIES === category ? [facts] : [])),
}));

function read({ contentType, bytes, facts }, index) {
  const { records, rowsBad } = readRows(newsFeeds, requests[index], bytes, contentType);
  const kept = newsFeeds.steps.feed.gather.keep(records, NOW, silentTally);
  if (kept.length !== items || rowsBad > 0) throw new Error(`${facts.id} gave ${kept.length} entries of ${items}`);
  const reading = { kind: "feed", feed: facts.id, state: "ok" };
  return { reading, entries: kept };
}

const builds = [];
let memory = [];
const cpuMs = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};
for (let pass = 0; pass < passes; pass += 1) {
  const start = process.cpuUsage();
  const answers = feeds.map(read);
  const readMs = cpuMs(start);
  const entries = answers.flatMap((answer) => answer.entries);
  const readings = answers.map(({ reading }) => reading);
  const digest = buildDigest({ categories, readings, entries, memory, now: NOW, classify: classifyTitle });
  builds.push({ readMs, cpuMs: cpuMs(start) });
  memory = digest.memory;
  const { state, itemsServed } = digest.coverage;
  if (state !== "complete" || itemsServed === 0) throw new Error(`the digest is ${state} with ${itemsServed} items`);
}
const mentions = count * items;
process.stdout.write(JSON.stringify({ builds, mentions, stories: memory.length }));
