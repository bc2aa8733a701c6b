import { expect, test } from "vitest";
import { settingReader } from "../../../contract/setting.js";
import { publishedFeeds } from "./published-feeds.js";
import { allFeeds } from "./topic-feeds.js";

const idsOf = async (overrides?: object): Promise<readonly string[]> => {
  const settings = overrides === undefined ? {} : { [publishedFeeds.setting]: JSON.stringify(overrides) };
  return (await publishedFeeds.feeds(settingReader(settings))).map(({ id }) => id);
};

test("the published feeds are all feeds that are collected", async () => {
  expect(await idsOf()).toEqual(allFeeds.map(({ id }) => id));
});

test("the published feeds exclude feeds that the operator removes", async () => {
  expect(await idsOf({ remove: ["bbc-world"] })).not.toContain("bbc-world");
});

test("a feed without a language tag is published as English", async () => {
  const feeds = await publishedFeeds.feeds(settingReader({}));
  expect(feeds.find(({ id }) => id === "bbc-world")).toMatchObject({ language: "en" });
});

test("no feed lists a variant or a category twice", async () => {
  for (const { id, variants, categories } of await publishedFeeds.feeds(settingReader({}))) {
    expect([id, new Set(variants).size, new Set(categories).size]).toEqual([id, variants.length, categories.length]);
  }
});

test("excluding dead feeds keeps the operator's overrides", async () => {
  const text = await publishedFeeds.withoutDead(new Set(["bbc-world"]), '{"remove":["guardian-world"]}');
  expect(JSON.parse(text)).toEqual({ remove: ["bbc-world", "guardian-world"] });
});
