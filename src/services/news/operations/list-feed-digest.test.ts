import { describe, expect, test } from "vitest";
import { queryOf } from "../../../../test/support/operations.js";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { digestVariants } from "../catalogue/digest-variants.js";
import type { DigestCounts } from "../digest-records.js";
import type { DigestView } from "../rules/digest-view.js";
import { listFeedDigest } from "./list-feed-digest.js";

const counts: DigestCounts = {
  state: "complete",
  itemsServed: 1,
  publisherCount: 1,
  feedTotal: 2,
  feedCompleted: 2,
  categoryTotal: 1,
  categoryCompleted: 1,
  droppedUndated: 0,
  droppedFreshness: 0,
  droppedFeedCap: 0,
  droppedCategoryCap: 0,
  foldedCount: 0,
  categoryStates: { world: "ok" },
};
// The items lack most members, because the tests only need to tell the two contents apart.
const plain = { world: { items: [{ title: "plain" }] } } as unknown as DigestView["categories"];
const explained = { world: { items: [{ title: "explained" }] } } as unknown as DigestView["categories"];
const view: DigestView = { categories: plain, explained, feedStatuses: { b: "empty" }, counts };
const failedAccount = { coverage: { ...counts, state: "partial", feedCompleted: 0 }, feedStatuses: { a: "timeout" } };

type Answer = ReturnType<typeof listFeedDigest.run>;

const answerTo = (search: string, values: Partial<AvailableSnapshot<DigestView>> = {}) =>
  storedAnswerOf(listFeedDigest, search, { "full-en": snapshotOf(view, values) });

describe("list-feed-digest", () => {
  test("serves the digest of the requested variant and language, the full English one by default", () => {
    const keysFor = (search: string) => listFeedDigest.readsFor?.(queryOf(listFeedDigest, search));
    expect([keysFor(""), keysFor("variant=tech&lang=fr"), keysFor("variant=unknown")]).toEqual([
      ["full-en"],
      ["tech-fr"],
      ["full-en"],
    ]);
    expect(() => queryOf(listFeedDigest, "lang=xx")).toThrow();
  });

  test("serves the items with their explanations only on request", () => {
    expect(answerTo("")).toMatchObject({ categories: plain, feedStatuses: { b: "empty" } });
    expect(answerTo("explain=true")).toMatchObject({ categories: explained });
  });

  test("serves current content with the time of the newest attempt", () => {
    const attempt = { at: BUILT_AT + HOUR_MS, ended: "ok" } as const;
    expect(answerTo("", { attempt })).toMatchObject({
      generatedAt: new Date(BUILT_AT + HOUR_MS).toISOString(),
      coverage: { state: "complete", servedStale: false, staleAgeSeconds: 0, staleReason: "" },
    });
  });

  test.each([
    ["held", "empty-rebuild"],
    ["failed", "build-error"],
  ] as const)(
    "serves the last good content as stale after a %s attempt, with the counts of that attempt",
    (ended, reason) => {
      const attempt = { at: BUILT_AT + HOUR_MS, ended, account: failedAccount };
      expect(answerTo("", { attempt })).toMatchObject({
        categories: plain,
        generatedAt: new Date(BUILT_AT).toISOString(),
        feedStatuses: { a: "timeout" },
        coverage: {
          state: "stale",
          feedCompleted: 0,
          itemsServed: 1,
          servedStale: true,
          staleAgeSeconds: 3_600,
          staleReason: reason,
        },
      });
    },
  );

  test("serves content that is too old as stale", () => {
    expect(answerTo("", { state: "stale" })).toMatchObject({
      coverage: { state: "stale", staleAgeSeconds: 3_600, staleReason: "build-error" },
    });
  });

  test.each(["full", "tech"] as const)(
    "lists every category of the variant %s, in order and without items, while nothing is stored",
    (variant) => {
      const snapshots = { [`${variant}-en`]: absent };
      const answer = storedAnswerOf(listFeedDigest, `variant=${variant}`, snapshots) as Answer;
      expect(Object.entries(answer.categories)).toEqual(digestVariants[variant].map((name) => [name, { items: [] }]));
      expect(answer.coverage).toMatchObject({ state: "unavailable", feedTotal: 0, itemsServed: 0 });
      expect(answer.coverage).not.toHaveProperty("attemptedAt");
    },
  );
});
