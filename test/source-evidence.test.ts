import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evidenceFinding } from "../src/commands/doctor/source-evidence.js";
import { loadServices } from "../src/services/registry.js";
import { recordingsAbsent } from "./support/recordings.js";
import { json, type Stack, startStack } from "./support/stack.js";
import { loadCases } from "./support/walks/load-cases.js";

const { sources } = await loadServices();
const recordings = resolve(import.meta.dirname, "../../shared/upstream");

/** The real payloads that the services declare for their sources. */
const payloads: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(await loadCases()).map((cases) => cases?.payloads ?? {}),
);

const recorded = sources.filter(({ seen }) => seen === "recorded").map(({ id }) => id);

test("the list of payloads names exactly the sources that declare a recorded payload", () => {
  expect(Object.keys(payloads).sort()).toEqual(recorded.toSorted());
});

test.skipIf(recordingsAbsent)("every listed payload exists (skipped without ../shared/upstream)", () => {
  expect(Object.values(payloads).filter((file) => !existsSync(resolve(recordings, file)))).toEqual([]);
});

describe("docs/datasets.md", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/datasets.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| ["));

  test.each(sources.map((source) => [source.id, source] as const))("states the evidence for %s", (_id, source) => {
    const row = rows.find((line) => line.startsWith(`| [${source.title}](${source.home}) |`));
    const expected = source.unseen === undefined ? source.seen : `${source.seen}, except ${source.unseen}`;
    expect(row?.split(" | ")).toContain(expected);
  });
});

describe("the dataset cards", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  test("state for each source whether a real payload was seen", async () => {
    const { datasets } = json(await stack.get("/api/datasets")) as {
      readonly datasets: readonly { readonly sources: readonly { readonly id: string; readonly seen: unknown }[] }[];
    };
    const shown = datasets.flatMap((card) => card.sources);
    expect(shown.length).toBeGreaterThan(30);
    for (const { id, seen } of shown) expect(`${id} ${seen}`).toMatch(/ (?:recorded|described)$/);
  });
});

describe("the evidence finding of vigil doctor", () => {
  test("counts the sources and lists those whose decoder never ran on a real payload", () => {
    const [first, second] = sources.filter(({ seen }) => seen === "described");
    const [seen] = sources.filter(({ seen }) => seen === "recorded");
    if (!first || !second || !seen) throw new Error("expected sources of both kinds");
    expect(evidenceFinding([seen, first, second])).toEqual({
      state: "ok",
      what: "payloads",
      says: `1 of 3 decoders ran on a real payload; 2 follow the documentation only: ${first.id}, ${second.id}. vigil doctor --sources tries them`,
    });
  });

  test("names no source when every decoder ran on a real payload", () => {
    const seen = sources.filter((source) => source.seen === "recorded");
    expect(evidenceFinding(seen).says).toBe(`${seen.length} of ${seen.length} decoders ran on a real payload`);
  });
});
