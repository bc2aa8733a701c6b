import { describe, expect, test } from "vitest";
import type { AbsentIngredient } from "../../../../contract/product.js";
import { type RowTally, silentTally } from "../../../../contract/row-tally.js";
import type { AvailableSnapshot } from "../../../../contract/snapshot.js";
import { countryAt } from "../../../../geography/country-at.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { ClockPace, isSteps, type Steps } from "../../../../kit/loop-turns.js";
import { mapValues } from "../../../../kit/map-values.js";
import { subjectOf } from "../subject.js";
import { zonesNear } from "../zones-near.js";
import { type EvidenceAge, type EvidenceDraft, evidenceAgesMax, evidenceAt, evidenceChangesAt } from "./draft.js";
import { headlineEvidence } from "./headlines.js";
import { type EvidenceIngredients, type EvidenceRead, evidenceReads } from "./ingredients.js";
import { draftsOf as allDraftsOf } from "./statements.js";

const NOON = Date.UTC(2026, 10, 18, 12);
const absent: AbsentIngredient = { available: false, isOff: false, reason: "never built" };

type Ingredient = AvailableSnapshot<unknown> | AbsentIngredient;

/** Makes a snapshot of a dataset from records by part. */
function snapshot<View>(
  dataset: {
    view(records: never, pace: ClockPace, tally: RowTally): View | Steps<View>;
    newestAt(records: never): number | null;
  },
  records: object,
  changes: Partial<AvailableSnapshot<View>> = {},
): AvailableSnapshot<View> {
  // The cast is safe, because each test passes records by the parts of this dataset.
  const parts = records as never;
  const view = dataset.view(parts, new ClockPace(), silentTally);
  return {
    available: true,
    state: "ok",
    view: isSteps(view) ? wholeOf(view as Steps<View>) : view,
    generation: 1,
    contentHash: "",
    builtAt: NOON,
    checkedAt: NOON,
    newestAt: dataset.newestAt(parts),
    nextBuildAt: null,
    parts: {},
    attempt: null,
    ...changes,
  };
}

/** Runs the steps to their result. */
function wholeOf<View>(steps: Steps<View>): View {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const nothing = mapValues(evidenceReads, (): Ingredient => absent);

/** Makes a snapshot with this view. */
const seen = (view: unknown, changes: Partial<AvailableSnapshot<unknown>> = {}): AvailableSnapshot<unknown> => ({
  available: true,
  state: "ok",
  view,
  generation: 1,
  contentHash: "",
  builtAt: NOON,
  checkedAt: NOON,
  newestAt: NOON,
  nextBuildAt: null,
  parts: {},
  attempt: null,
  ...changes,
});

/** Returns the evidence on a country if only these snapshots exist. */
function draftsOf(code: string, ingredients: Partial<Record<EvidenceRead, Ingredient>>): readonly EvidenceDraft[] {
  const subject = subjectOf(code);
  if (!subject) throw new Error(`no country ${code}`);
  // The cast is safe, because each snapshot comes from the dataset with the same name.
  return allDraftsOf(subject, { ...nothing, ...ingredients } as EvidenceIngredients);
}
const factsOf = (...args: Parameters<typeof draftsOf>) => draftsOf(...args).map(({ factText }) => factText);

const alpha = (dayBack: number, changes: object = {}) => ({
  id: `acled-${dayBack}-${JSON.stringify(changes)}`,
  country: "Ukraine",
  actors: [],
  eventType: "Battles",
  fatalities: 2,
  occurredAt: Date.UTC(2026, 10, 17) - dayBack * DAY_MS,
  source: "s",
  ...changes,
});

describe("conflict", () => {
  const events = [...Array.from({ length: 30 }, (_, back) => alpha(back)), alpha(1, { fatalities: 5 })];
  const of = (acled: readonly object[], gdelt: readonly object[] = [], state: "ok" | "partial" | "stale" = "ok") => ({
    alpha: snapshot(evidenceReads.alpha, { acled, gdelt }, { state }),
  });

  const gdelt = (dayBack: number, changes: object = {}) =>
    alpha(dayBack, { id: `gdelt-old-${dayBack}`, fatalities: 0, fatalitiesKnown: false, ...changes });
  /** Returns 20 events of GDELT on each of this many days up to the newest one. */
  const gdeltOn = (dayCount: number) =>
    Array.from({ length: dayCount * 20 }, (_, at) => gdelt(Math.floor(at / 20), { id: `gdelt-${at}` }));

  test("evidence states events, deaths and trend of the newest thirty days on record", () => {
    expect(factsOf("UA", of(events))).toEqual([
      "ACLED lists 31 conflict events in Ukraine from 19 October to 17 November 2026, with 65 reported deaths.",
      "Conflict events that ACLED lists in Ukraine rose from 15 events (19 October to 2 November 2026) to 16 events (3 to 17 November 2026).",
    ]);
  });

  test("uncounted deaths are not stated as zero", () => {
    const uncounted = events.map((event, at) =>
      at % 2 === 0 ? { ...event, fatalities: 0, fatalitiesKnown: false } : event,
    );
    expect(factsOf("UA", of(uncounted))[0]).toContain("with 30 reported deaths where they are counted.");
    expect(
      factsOf("UA", of(events.map((event) => ({ ...event, fatalities: 0, fatalitiesKnown: false }))))[0],
    ).not.toContain("death");
    expect(factsOf("UA", of([], gdeltOn(31)))[0]).toMatch(
      /^GDELT lists 600 .* does not count deaths, and may list the same event several times\.$/,
    );
  });

  test("if events cover fewer than 20 days, evidence states them from their first day, without a trend", () => {
    expect(factsOf("UA", of(events.filter((_, at) => at < 19)))).toEqual([
      "ACLED lists 19 conflict events in Ukraine from 30 October to 17 November 2026, with 38 reported deaths.",
    ]);
    expect(factsOf("UA", of(events.filter((_, at) => at < 20)))).toHaveLength(2);
  });

  test("if all 30 days of GDELT's exports were collected, evidence states the whole period and its trend", () => {
    expect(factsOf("UA", of([], [...gdeltOn(31), gdelt(1)]))).toEqual([
      expect.stringMatching(/^GDELT lists 601 conflict events in Ukraine from 19 October to 17 November 2026;/),
      "Conflict events that GDELT lists in Ukraine rose from 300 events (19 October to 2 November 2026) to 301 events (3 to 17 November 2026).",
    ]);
    const quietDay = gdeltOn(31).filter(({ id }) => !/^gdelt-(?:4[2-9]|5\d)$/.test(id));
    expect(factsOf("UA", of([], quietDay))).toEqual([
      expect.stringMatching(/^GDELT lists 582 conflict events in Ukraine from 19 October to 17 November 2026;/),
      expect.stringContaining("fell from"),
    ]);
  });

  test("if only the last days of GDELT's exports were collected, events dated earlier neither lengthen the period nor make a trend", () => {
    const states = [
      expect.stringMatching(/^GDELT lists 60 conflict events in Ukraine from 15 to 17 November 2026;/),
    ] as const;
    expect(factsOf("UA", of([], gdeltOn(4)))).toEqual(states);
    expect(factsOf("UA", of([], [...gdeltOn(4), gdelt(29, { country: "Mali" })]))).toEqual(states);
    expect(factsOf("ML", of([], [...gdeltOn(4), gdelt(29, { country: "Mali" })]))).toEqual([]);
    const everyDay = Array.from({ length: 31 }, (_, back) => gdelt(back, { country: "Mali" }));
    expect(factsOf("UA", of([], [...gdeltOn(4), ...everyDay]))).toEqual(states);
  });

  test("after a gap in GDELT's exports, evidence states only the days after it", () => {
    const events = gdeltOn(31).filter(({ id }) => !/^gdelt-1[01]\d$/.test(id));
    expect(factsOf("UA", of([], events))).toEqual([
      expect.stringMatching(/^GDELT lists 80 conflict events in Ukraine from 14 to 17 November 2026;/),
    ]);
  });

  test("evidence states the newest day of GDELT's events, even if few of its events were collected yet", () => {
    const [first] = gdeltOn(1);
    expect(factsOf("UA", of([], [first ?? {}]))).toEqual([
      expect.stringMatching(/^GDELT lists 1 conflict event in Ukraine on 17 November 2026;/),
    ]);
    expect(factsOf("UA", of([], gdeltOn(31).slice(19)))).toHaveLength(2);
  });

  test("a partial snapshot yields evidence; stale and absent snapshots and other countries yield none", () => {
    expect(factsOf("FR", of(events))).toEqual([]);
    expect(factsOf("UA", of(events, [], "stale"))).toEqual([]);
    expect(factsOf("UA", {})).toEqual([]);
    expect(factsOf("UA", of(events, [], "partial"))).toHaveLength(2);
  });

  test("a UCDP event is counted on its last day only", () => {
    const event = (id: string, from: number, to: number, deathsBest: number) => ({
      id,
      country: "Sudan",
      dateStart: from,
      dateEnd: to,
      deathsBest,
      deathsHigh: 9,
      deathsLow: 1,
      sideA: "a",
      sideB: "b",
      violenceType: "BETA_VIOLENCE_TYPE_STATE_BASED",
    });
    const candidate = [
      event("ucdp-1", Date.UTC(2026, 9, 1), Date.UTC(2026, 9, 31), 4),
      event("ucdp-2", Date.UTC(2026, 9, 2), Date.UTC(2026, 9, 2), 1),
      event("ucdp-3", Date.UTC(2026, 8, 2), Date.UTC(2026, 9, 1), 7),
      event("ucdp-4", Date.UTC(2026, 8, 1), Date.UTC(2026, 8, 1), 7),
    ];
    expect(factsOf("SD", { beta: snapshot(evidenceReads.beta, { annual: [], candidate }) })).toEqual([
      "UCDP records 2 events of organised violence in Sudan from 2 to 31 October 2026, with 5 deaths by its best estimate.",
      "Events of organised violence that UCDP records in Sudan rose from 1 event (2 September to 1 October 2026) to 2 events (2 to 31 October 2026).",
    ]);
  });
});

describe("people", () => {
  const months = [
    {
      countryCode: "ML",
      countryName: "Mali",
      conflictEventsTotal: 9,
      conflictPoliticalViolenceEvents: 1_210,
      conflictDemonstrations: 1,
      referencePeriod: "2026-10-01",
    },
  ];

  test("uncounted deaths are omitted", () => {
    const of = (more: object) =>
      factsOf("ML", {
        humanitarian: snapshot(evidenceReads.humanitarian, { months: months.map((month) => ({ ...month, ...more })) }),
      });
    const violence = "For October 2026, HDX HAPI counts 1,210 events of political violence";
    expect(of({})).toEqual([`${violence} and 1 demonstration in Mali.`]);
    expect(of({ conflictFatalities: 0 })).toEqual([`${violence}, 0 deaths and 1 demonstration in Mali.`]);
    expect(of({ civilianTargetingEvents: 1_003, conflictFatalities: 40 })).toEqual([
      `${violence} (1,003 of them targeting civilians), 40 deaths and 1 demonstration in Mali.`,
    ]);
  });

  test("a month is described by the counts that the source has", () => {
    const { conflictPoliticalViolenceEvents: _violence, ...demonstrations } = months[0] ?? {};
    const { conflictDemonstrations: _demonstrations, ...violence } = months[0] ?? {};
    const of = (summary: object) =>
      draftsOf("ML", { humanitarian: snapshot(evidenceReads.humanitarian, { months: [summary as never] }) }).map(
        ({ factText, value }) => [factText, value],
      );
    expect(of(demonstrations)).toEqual([
      ["For October 2026, HDX HAPI counts 1 demonstration in Mali.", "1 demonstration"],
    ]);
    expect(of(violence)).toEqual([
      ["For October 2026, HDX HAPI counts 1,210 events of political violence in Mali.", "1,210 events"],
    ]);
  });

  test("evidence on an unfinished month is dated to the time at which it was collected", () => {
    const running = months.map((month) => ({ ...month, referencePeriod: "2026-11-01" }));
    const [draft] = draftsOf("ML", { humanitarian: snapshot(evidenceReads.humanitarian, { months: running }) });
    expect(draft?.at).toBe(NOON);
    expect(draftsOf("ML", { humanitarian: snapshot(evidenceReads.humanitarian, { months }) })[0]?.at).toBe(
      Date.UTC(2026, 10) - 1,
    );
  });

  test("displacement facts state how many people left and how many arrived, without zero counts", () => {
    const row = (originCode: string, asylumCode: string, more: object) => ({
      year: 2025,
      originCode,
      originName: originCode,
      asylumCode,
      asylumName: asylumCode,
      refugees: 0,
      asylumSeekers: 0,
      idps: 0,
      stateless: 0,
      ...more,
    });
    const population = [
      row("UKR", "POL", { refugees: 1_000 }),
      row("UKR", "UKR", { idps: 1 }),
      row("MDA", "UKR", { asylumSeekers: 5 }),
    ];
    expect(factsOf("UA", { displaced: snapshot(evidenceReads.displaced, { population }) })).toEqual([
      "At the end of 2025, UNHCR counts 1,000 refugees and 1 internally displaced person originating from Ukraine.",
      "At the end of 2025, UNHCR counts 5 asylum seekers hosted by Ukraine.",
    ]);
  });
});

describe("sanctions", () => {
  const readAt = Date.UTC(2026, 10, 18, 9);
  const read = { state: "fresh", confirmedAt: readAt, error: null } as const;
  const unread = { state: "missing", confirmedAt: null, error: "answered 500" } as const;
  const listOf = (entries: Readonly<Record<string, number>> = {}, publishedAt?: number) => ({
    entryCount: 900,
    publishedAt,
    entriesByCountry: new Map(Object.entries(entries)),
  });
  const lists = {
    sdn: listOf({ IR: 1_240, NL: 1 }),
    consolidated: listOf({ IR: 3 }),
    sema: listOf({ IR: 210 }, Date.UTC(2026, 9, 2)),
    un: listOf({ IR: 78 }, Date.UTC(2026, 10, 17)),
  };
  const of = (more: object = {}, parts: object = {}) => ({
    sanctions: seen(
      { lists: { ...lists, ...more } },
      { parts: { sdn: read, consolidated: read, sema: read, un: read, ...parts } },
    ),
  });

  test("are stated list by list, with the date on which each list was read and the list's own date", () => {
    expect(factsOf("IR", of())).toEqual([
      "The OFAC SDN list, read on 18 November 2026, has 1,240 entries with a nationality or address in Iran.",
      "The OFAC Consolidated list, read on 18 November 2026, has 3 entries with a nationality or address in Iran.",
      "Canada's SEMA list, read on 18 November 2026 (newest listing 2 October 2026), has 210 entries under its measures on Iran.",
      "The UN Security Council list, read on 18 November 2026 (dated 17 November 2026), has 78 entries with a nationality or address in Iran.",
    ]);
    expect(factsOf("NL", of())).toEqual([
      "The OFAC SDN list, read on 18 November 2026, has 1 entry with a nationality or address in the Netherlands.",
    ]);
    expect(draftsOf("IR", of()).map(({ at }) => at)).toEqual([readAt, readAt, readAt, readAt]);
  });

  test("are not mentioned for a country without entries, and a list that was never read is not stated as empty", () => {
    expect(factsOf("FJ", of())).toEqual([]);
    expect(factsOf("IR", of({ un: listOf() }, { un: unread }))).toHaveLength(3);
    expect(factsOf("NL", of({ sdn: listOf() }, { sdn: unread }))).toEqual([]);
  });
});

describe("links", () => {
  const urlsOf = (...args: Parameters<typeof draftsOf>) => draftsOf(...args).map(({ url }) => url);

  test.each([
    ["FAA", "YUL", "CA", "https://nasstatus.faa.gov/"],
    ["NOTAM", "KRT", "SD", "https://dataservices.icao.int/"],
    ["AVIATIONSTACK", "LHR", "GB", "https://aviationstack.com/documentation"],
  ])("an alert of %s about %s links to its publisher", (source, iata, country, url) => {
    const alert = {
      iata,
      name: iata,
      severity: "FLIGHT_DELAY_SEVERITY_MAJOR",
      delayType: "FLIGHT_DELAY_TYPE_CLOSURE",
      source: `FLIGHT_DELAY_SOURCE_${source}`,
      updatedAt: NOON,
    };
    expect(urlsOf(country, { airports: seen({ alerts: [alert] }) })).toEqual([url, url]);
  });

  test.each([
    ["GDACS", "https://www.gdacs.org/"],
    ["NASA EONET", "https://eonet.gsfc.nasa.gov/"],
    ["NOAA NHC", "https://www.nhc.noaa.gov/"],
    ["ReliefWeb", "https://reliefweb.int/disasters"],
  ])("a disaster of %s without its own page links to the publisher's list", (source, list) => {
    const disaster = { name: "Amy", type: "storm", severity: "red", countryCode: "PH", status: "ongoing", source };
    const own = { ...disaster, severity: "green", sourceUrl: "https://example.org/1" };
    expect(urlsOf("PH", { disasters: seen([own, disaster]) })).toEqual([list, list, "https://example.org/1"]);
  });
});

describe("disasters", () => {
  const disaster = { name: "Dry", type: "drought", status: "ongoing", source: "GDACS", countryCode: "AR" };

  test("a disaster in several countries is evidence for each of them", () => {
    const snapshots = { disasters: seen([{ ...disaster, countryCodes: ["AR", "CL"] }]) };
    expect(["AR", "CL", "BO"].map((code) => draftsOf(code, snapshots).length)).toEqual([1, 1, 0]);
  });

  test("a disaster announced for later is not stated before it starts", () => {
    const announced = { ...disaster, status: "alert", startedAt: NOON + 1 };
    expect(draftsOf("AR", { disasters: seen([announced]) })).toEqual([]);
    expect(draftsOf("AR", { disasters: seen([{ ...announced, startedAt: NOON }]) })).toHaveLength(1);
  });
});

describe("age", () => {
  const draft = (age: EvidenceAge, at: number): EvidenceDraft => ({
    kind: "conflict",
    label: "l",
    value: "v",
    factText: "f",
    url: "u",
    at,
    age,
  });

  test.each(Object.entries(evidenceAgesMax) as [EvidenceAge, number][])(
    "a fact of the kind %s is stated up to its maximum age and no longer",
    (age, maxMs) => {
      const drafts = [draft(age, NOON)];
      expect(evidenceAt(drafts, NOON + maxMs)).toHaveLength(1);
      expect(evidenceAt(drafts, NOON + maxMs + 1)).toHaveLength(0);
      expect(evidenceChangesAt(drafts, NOON)).toBe(NOON + maxMs + 1);
      expect(evidenceChangesAt(drafts, NOON + maxMs + 1)).toBe(Number.POSITIVE_INFINITY);
    },
  );

  test("a fact dated up to five minutes in the future is stated, and a fact with a later date is not", () => {
    const drafts = [draft("headline", NOON)];
    expect(evidenceAt(drafts, NOON - 5 * MINUTE_MS)).toHaveLength(1);
    expect(evidenceAt(drafts, NOON - 5 * MINUTE_MS - 1)).toHaveLength(0);
    expect(evidenceChangesAt(drafts, NOON - HOUR_MS)).toBe(NOON - 5 * MINUTE_MS);
  });

  test("the stated facts have consecutive ids, even if a fact between them is too old", () => {
    const stated = evidenceAt(
      [draft("headline", NOON), draft("internet", NOON), draft("yields", NOON)],
      NOON + 3 * HOUR_MS,
    );
    expect(stated.map(({ id, asOf }) => [id, asOf])).toEqual([
      ["E1", "2026-11-18T12:00:00.000Z"],
      ["E2", "2026-11-18T12:00:00.000Z"],
    ]);
  });
});

describe("headlines", () => {
  const countriesIn = (title: string): readonly string[] => (title.includes("Mali") ? ["ML"] : []);
  const headline = (title: string, more: object = {}) => ({
    title,
    source: "Example Times",
    link: "https://news.example/1",
    publishedAt: NOON,
    ...more,
  });

  test("are limited to six of the first fifteen that name the country, each title once", () => {
    const many = Array.from({ length: 30 }, (_, at) => headline(`Mali ${Math.floor(at / 3)}`));
    const evidence = evidenceAt(headlineEvidence("ML", [headline("Elsewhere"), ...many], countriesIn), NOON);
    expect(evidence.map(({ value }) => value)).toEqual(["Mali 0", "Mali 1", "Mali 2", "Mali 3", "Mali 4"]);
    const single = Array.from({ length: 30 }, (_, at) => headline(`Mali ${at}`));
    expect(evidenceAt(headlineEvidence("ML", single, countriesIn), NOON)).toHaveLength(6);
  });

  test("that are too old do not displace recent ones", () => {
    const old = Array.from({ length: 20 }, (_, at) => headline(`Mali ${at}`, { publishedAt: NOON - 80 * HOUR_MS }));
    const drafts = headlineEvidence("ML", [...old, headline("Mali today")], countriesIn);
    expect(evidenceAt(drafts, NOON).map(({ value }) => value)).toEqual(["Mali today"]);
  });

  test("are one line of plain text of at most 160 characters, with a publisher of at most 80 characters", () => {
    const [draft] = headlineEvidence(
      "ML",
      [headline(`Mali <b>“${"x".repeat(300)}”</b>\n\u202e`, { source: "y".repeat(200) })],
      countriesIn,
    );
    expect(Array.from(draft?.value ?? "")).toHaveLength(160);
    expect(Array.from(draft?.label ?? "")).toHaveLength(80);
    expect(draft?.value).toMatch(/^Mali b 'x+…$/);
  });

  test.each(["javascript:alert(1)", "ftp://news.example/", "news.example", ""])(
    "without a web address (%s) are omitted",
    (link) => {
      expect(headlineEvidence("ML", [headline("Mali", { link })], countriesIn)).toEqual([]);
    },
  );
});

test("the reference point of each climate zone except the North Atlantic is near a country of the zone", async () => {
  const { zones } = await import("../../../climate/rules/zones.js");
  const offshore = new Set(["north-atlantic"]);
  const wrong = zones.filter(({ id, latitude, longitude }) => {
    if (offshore.has(id)) return false;
    const country = countryAt({ latitude, longitude }, 200);
    return country === undefined || !zonesNear(country).some((zone) => zone.id === id);
  });
  expect(wrong.map(({ id }) => id)).toEqual([]);
  for (const { id, name } of zonesNear("CN")) expect(zones.find((zone) => zone.id === id)?.name).toBe(name);
});
