import { expect, test } from "vitest";
import { countingTally } from "../../../contract/row-tally.js";
import type { FeedAnswer, FeedEntry, FeedRecord } from "../digest-records.js";
import { countCollected } from "./count-collected.js";

const old: FeedEntry = { kind: "entry", feed: "a", title: "Old", link: "https://a.test/1", snippet: "" };
const answer = (state: FeedAnswer["state"]): FeedRecord => ({ kind: "answer", feed: "a", state });

test.each([
  ["has been read again", ["a"], [answer("ok")], "replaced by a newer reading of the feed"],
  ["has become empty", ["a"], [answer("empty")], "replaced by a newer reading of the feed"],
  ["has failed for too long", ["a"], [answer("failed")], "feed unread for six hours"],
  ["has gone without a request for too long", ["a"], [], "feed unread for six hours"],
  ["is no longer configured", ["b"], [], "feed no longer in the catalogue"],
])("if a feed %s, its old entry is left out under the rule $3", (_, feeds, fresh, rule) => {
  const tally = countingTally();
  countCollected(tally, { feeds, kept: [old], fresh, records: [] });
  expect(tally.leftOutRows).toMatchObject([{ rule, count: 1 }]);
});
