import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS, SECOND_MS } from "../src/kit/clock.js";
import type { AirportNotice } from "../src/services/aviation/sources/icao-notams.js";
import type { AirQualityStation, StoredDisaster } from "../src/services/climate/records.js";
import type { AlphaConflictEvent } from "../src/services/conflict/records.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import type { TreasuryParYieldCurve } from "../src/services/economic/records.js";
import type { StoredCategory } from "../src/services/news/rules/digest-view.js";
import type { FiredRow, WatchFiring } from "../src/services/watches/records.js";
import type { WrittenWatch } from "../src/services/watches/served-watch.js";
import { evaluationJob } from "../src/services/watches/store/evaluator/job.js";
import { publishChanged } from "./support/published.js";
import { runJob } from "./support/run-job.js";
import { call, json, type Stack, startStack } from "./support/stack.js";
import { watchFeedPath } from "./support/watch-feed-path.js";

/* The examples of docs/watches.md: every ready-made watch can be created, and fires when it should. */

const datasets = [
  "alpha-events",
  "airport-delays",
  "climate-disasters",
  "us-treasury-yields",
  "air-quality",
  "digest-full-en",
  "earthquakes",
];
const page = readFileSync(resolve(import.meta.dirname, "../docs/watches.md"), "utf8");

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: datasets, datasets });
  await logAndEvaluate();
}, 60_000);
afterAll(() => stack.close());

/** Logs the changes of datasets and evaluates the watches, as the service does every second. */
async function logAndEvaluate(): Promise<void> {
  await runJob(stack, logJob);
  await runJob(stack, evaluationJob);
}

async function post(target: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
  const answer = await call(stack.answer, "POST", target, headers, { body: JSON.stringify(body) });
  return { status: answer.status, body: json(answer) };
}

async function firingsOf(watchId: string): Promise<readonly WatchFiring[]> {
  const answer = await stack.get(`/api/watches/v1/list-watch-firings?watch_id=${watchId}`);
  return (json(answer) as { readonly firings: readonly WatchFiring[] }).firings;
}

const kindsOf = (firings: readonly Pick<WatchFiring, "kind">[]): readonly string[] =>
  firings.map(({ kind }) => kind.slice("WATCH_FIRING_KIND_".length));

type Step = () => Promise<unknown>;

/** The changes of data with which a ready-made watch is tested. */
interface Story {
  /** Changes that do not make the watch fire. */
  readonly nothing: Step;
  readonly happens: Step;
  /** The value that the firing reports, or the ids of its rows. */
  readonly reported: unknown;
  /** Changes that resolve the watch; absent for a watch on new rows, which is never resolved. */
  readonly ends?: Step;
}

/** Returns a step that publishes a dataset with new content in one part. */
function changedPart<Row>(name: string, part: string, change: (rows: readonly Row[]) => readonly Row[]): Step {
  return () =>
    publishChanged<Row>(stack, name, (records) => ({ ...records, [part]: change(records[part] ?? []) }) as never);
}

const DAY_OF_DEATHS = Date.UTC(2026, 10, 17);
const NEXT_DAY = Date.UTC(2026, 10, 18);

function deaths(id: string, occurredAt: number, fatalities: number): AlphaConflictEvent {
  const place = { country: "Sudan", actors: ["A", "B"], eventType: "Battles", source: "Simulated" };
  return { ...place, id: `acled-${id}`, occurredAt, fatalities, location: { latitude: 15, longitude: 30 } };
}

const withEvents = (...added: readonly AlphaConflictEvent[]): Step =>
  changedPart<AlphaConflictEvent>("alpha-events", "acled", (events) =>
    [...events, ...added].toSorted((a, b) => b.occurredAt - a.occurredAt),
  );

const heathrow = (kind: AirportNotice["kind"]): Step =>
  changedPart<AirportNotice>("airport-delays", "notams", (notices) => {
    const others = notices.filter(({ iata }) => iata !== "LHR");
    const [closure] = notices.filter((notice) => notice.kind === "closure");
    if (!closure) throw new Error("no airport is closed");
    return [...others, { ...closure, iata: "LHR", kind }];
  });

const alert = (id: string, lat: number, lng: number, severity: string): Step =>
  changedPart<StoredDisaster>("climate-disasters", "gdacs", (events) => {
    const [event] = events;
    if (!event) throw new Error("no disaster is stored");
    // The name must be unique: disasters with the same name, country and day are merged into one.
    const changed = { id, name: id, lat, lng, severity, status: "ongoing" as const };
    return [...events.filter((other) => other.id !== id), { ...event, ...changed }];
  });

const yields = (twoYear: number, tenYear: number): Step =>
  changedPart<TreasuryParYieldCurve>("us-treasury-yields", "curves", (curves) =>
    curves.map((curve, index) => (index === curves.length - 1 ? { ...curve, twoYear, tenYear } : curve)),
  );

const delhi = (pm25: number): Step =>
  changedPart<AirQualityStation>("air-quality", "cities", (stations) =>
    stations.map((station) => (station.city === "Delhi" ? { ...station, pm25 } : station)),
  );

const story = (storyId: string, sourceCount: number): Step =>
  changedPart<StoredCategory>("digest-full-en", "feeds", (records) =>
    records.map((record, index) => {
      const [item] = record.kind === "category" ? record.items : [];
      const isFirst = index === records.findIndex(({ kind, items }) => kind === "category" && items.length > 0);
      if (!item?.storyMeta || !isFirst) return record;
      const link = `https://publisher.example/${storyId}`;
      const storyMeta = { ...item.storyMeta, sourceCount };
      const others = record.items.filter((other) => other.link !== link).slice(0, 19);
      return { ...record, items: [{ ...item, title: "Ukraine: a story", storyId, link, storyMeta }, ...others] };
    }),
  );

const stories: Readonly<Record<string, Story>> = {
  "Deaths in a country in a day": {
    nothing: withEvents(deaths("A", DAY_OF_DEATHS, 30), deaths("B", Date.UTC(2026, 10, 16), 90)),
    happens: withEvents(deaths("C", DAY_OF_DEATHS, 25)),
    reported: 59,
    ends: withEvents(deaths("D", NEXT_DAY, 3)),
  },
  "An airport is closed": {
    nothing: heathrow("restriction"),
    happens: heathrow("closure"),
    reported: [expect.objectContaining({ iata: "LHR" })],
    ends: heathrow("restriction"),
  },
  "A red alert within 200 km": {
    async nothing() {
      // 270 km from the centre: outside the circle of 200 km, but inside the square around that circle.
      await alert("gdacs-corner", 37.43, 141.79, "red")();
      await alert("gdacs-near", 36.5, 140.5, "orange")();
    },
    happens: alert("gdacs-near", 36.5, 140.5, "red"),
    reported: ["gdacs-near"],
  },
  "The yield curve inverts": {
    nothing: yields(1.5, 1.6),
    happens: yields(1.7, 1.6),
    reported: true,
    ends: yields(1.5, 1.6),
  },
  "Fine particles in a city": {
    nothing: delhi(140),
    happens: delhi(180.5),
    reported: 180.5,
    async ends() {
      await delhi(130)();
      await logAndEvaluate();
      stack.clock.advance(2 * SECOND_MS);
      await delhi(110)();
    },
  },
  "A story that five publishers report": {
    nothing: story("a", 4),
    happens: story("b", 5),
    reported: ["b"],
  },
  "A dataset is stale": {
    nothing: async () => stack.clock.advance(SECOND_MS),
    happens: async () => stack.clock.advance(HOUR_MS),
    reported: "stale",
    ends: () => stack.run("earthquakes"),
  },
};

const [, readyMade = ""] = page.split("## Ready-made watches\n");
const [chapter = ""] = readyMade.split("\n## ");
const examples = chapter
  .split("\n### ")
  .slice(1)
  .map((section) => {
    const [title = ""] = section.split("\n", 1);
    const [, block = ""] = section.split("```json\n");
    const [body = ""] = block.split("```", 1);
    return { title, body: JSON.parse(body) as unknown };
  });

test("there is a story for each of the seven ready-made watches of docs/watches.md", () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(stories));
  expect(examples).toHaveLength(7);
});

test.each(examples)("$title: the watch fires as described, both live and in test-watch", async ({ title, body }) => {
  const steps = stories[title];
  if (!steps) throw new Error(`no story of ${title}`);
  const created = await post("/api/watches/v1/create-watch", body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { watchId } = (created.body as { readonly watch: WrittenWatch }).watch;
  const from = new Date(stack.clock.now()).toISOString();
  const next = async (step: Step): Promise<readonly WatchFiring[]> => {
    stack.clock.advance(2 * SECOND_MS);
    await step();
    await logAndEvaluate();
    return firingsOf(watchId);
  };
  expect(await next(steps.nothing)).toEqual([]);
  const [fired, ...others] = await next(steps.happens);
  expect(kindsOf(fired ? [fired, ...others] : [])).toEqual(["FIRED"]);
  const ids = fired?.rows?.map(({ id }: FiredRow) => id);
  expect(ids ?? fired?.after).toEqual(steps.reported);
  const ending = steps.ends ? await next(steps.ends) : await firingsOf(watchId);
  const kinds = steps.ends ? ["FIRED", "RESOLVED"] : ["FIRED"];
  expect(kindsOf(ending)).toEqual(kinds);
  const feed = await stack.get(`${await watchFeedPath(stack, watchId)}&format=jsonfeed`, {});
  expect(json(feed)).toMatchObject({ items: kinds.map(() => ({ title: expect.stringContaining(": ") })) });
  const tested = await post("/api/watches/v1/test-watch", { definition: body, from });
  const { firings } = tested.body as { readonly firings: readonly WatchFiring[] };
  expect(kindsOf(firings)).toEqual(kinds);
});
