import { expect, test } from "vitest";
import type { Snapshot } from "../../../contract/snapshot.js";
import { draftsOf, type NewsOf } from "./country-drafts.js";
import type { Headline } from "./evidence/headlines.js";
import { type BriefSnapshots, briefReads } from "./evidence/snapshots.js";
import { subjectOf } from "./subject.js";

const absent = (): Snapshot<unknown> => ({ available: false, state: "absent", reason: "never built", attempt: null });
const nothing = Object.fromEntries(
  Object.keys(briefReads).map((name) => [name, absent()]),
) as unknown as BriefSnapshots;
const ukraine = subjectOf("UA") as NonNullable<ReturnType<typeof subjectOf>>;
const headline = (title: string): Headline => ({
  title,
  source: "Example Times",
  link: "https://news.example/1",
  publishedAt: 1,
});

test("the evidence of a country is built once as long as its inputs stay the same", () => {
  let headlines = [headline("Floods in Ukraine")];
  let reads = 0;
  const newsOf: NewsOf = () => ({
    headlines,
    countriesIn: () => {
      reads += 1;
      return ["UA"];
    },
  });
  const first = draftsOf(ukraine, nothing, newsOf);
  // Every call passes a new object with the same snapshots.
  expect(draftsOf(ukraine, { ...nothing }, newsOf)).toBe(first);
  expect(reads).toBe(1);

  expect(draftsOf(ukraine, { ...nothing, air: absent() } as BriefSnapshots, newsOf)).not.toBe(first);
  headlines = [headline("Peace talks on Ukraine")];
  expect(draftsOf(ukraine, nothing, newsOf).map(({ value }) => value)).toEqual(["Peace talks on Ukraine"]);
});
