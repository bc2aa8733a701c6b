import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { loadConfig } from "../src/app/config.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { digestVariants } from "../src/services/news/catalogue/digest-variants.js";
import { allFeeds } from "../src/services/news/catalogue/topic-feeds.js";
import { loadServices } from "../src/services/registry.js";
import { simulatedFeeds } from "./support/simulated-feeds.js";
import { json, type Stack, type StackOptions, startStack } from "./support/stack.js";

const PATH = "/api/news/v1/list-feed-digest";

interface Digest {
  readonly categories: Readonly<Record<string, { readonly items: readonly { readonly link: string }[] }>>;
  readonly coverage: Readonly<Record<string, unknown>> & { readonly categoryStates: Readonly<Record<string, string>> };
  readonly feedStatuses: Readonly<Record<string, string>>;
  readonly generatedAt: string;
}

type Placement = readonly [variant: string, category: string];

/** A feed for a catalogue that has only the feeds of one test. */
function feedAt(id: string, placements: readonly Placement[], language?: string) {
  return {
    id,
    publisher: id,
    family: id,
    country: "GB",
    kind: "other",
    risk: { profile: "unknown" },
    homepage: `https://${id}.example.org`,
    url: `https://${id}.example.org/${id}.xml`,
    ...(language !== undefined && { language }),
    placements: placements.map(([variant, category]) => ({ variant, category })),
  };
}

type OwnFeed = ReturnType<typeof feedAt>;

const stacks: Stack[] = [];
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.close()));
});

async function stackOf(feeds: readonly OwnFeed[], options: StackOptions = {}): Promise<Stack> {
  const overrides = { remove: allFeeds.map(({ id }) => id), add: feeds };
  const stack = await startStack({
    env: { VIGIL_FEEDS: JSON.stringify(overrides) },
    upstreams: [
      simulatedFeeds(
        "own-feeds",
        feeds.map(({ url }) => url),
      ),
    ],
    ...options,
  });
  stacks.push(stack);
  return stack;
}

async function digestOf(stack: Stack, query = "") {
  const answer = await stack.get(`${PATH}?${query}`);
  return { answer, body: json(answer) as Digest };
}

const linksOf = ({ categories }: Digest): readonly string[] =>
  Object.values(categories).flatMap(({ items }) => items.map(({ link }) => link));

/** Lets the event loop run until the condition is true. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

const full = digestVariants.full;

describe("a digest build over 250 feeds of which 25 hang, 25 fail and 12 send garbage", () => {
  const kindOf = (index: number): string =>
    index % 10 === 0 ? "hang" : index % 10 === 1 ? "fail" : index % 20 === 2 && index < 240 ? "junk" : "fine";
  const feeds = Array.from({ length: 250 }, (_, index) =>
    feedAt(`${kindOf(index)}-${index}`, [["full", full[index % full.length] ?? ""]]),
  );
  const idsOf = (kind: string): string[] => feeds.flatMap(({ id }) => (id.startsWith(kind) ? [id] : []));

  test("ends within its deadline, contains every healthy feed and reports the state of the others", async () => {
    const stack = await stackOf(feeds);
    expect([idsOf("hang").length, idsOf("fail").length, idsOf("junk").length]).toEqual([25, 25, 12]);
    stack.simulator.faults.set({ upstream: "own-feeds", match: "/hang-" }, { kind: "hang" });
    stack.simulator.faults.set({ upstream: "own-feeds", match: "/fail-" }, { kind: "status", code: 500 });
    stack.simulator.faults.set({ upstream: "own-feeds", match: "/junk-" }, { kind: "html" });
    const startedAt = stack.clock.now();
    const hanging = () => stack.simulator.requests.list().filter(({ fault }) => fault === "hang").length;
    const run = stack.run("digest-full-en");
    // 20 hanging feeds occupy every slot. They are abandoned after eight seconds, and then the other feeds are read.
    await until(() => hanging() === 20);
    stack.clock.advance(8 * SECOND_MS);
    await until(() => stack.simulator.requests.list().length === 250);
    await until(() => stack.clock.sleeping === 6);
    stack.clock.advance(2 * SECOND_MS);
    expect(await run).toMatchObject({ outcome: "published" });
    expect(stack.clock.now() - startedAt).toBe(10 * SECOND_MS);

    const { answer, body } = await digestOf(stack);
    expect(body.coverage).toMatchObject({
      state: "partial",
      feedTotal: 250,
      feedCompleted: 188,
      categoryTotal: 17,
      categoryCompleted: 17,
      servedStale: false,
      staleReason: "",
    });
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "X-Vigil-Generation": "digest-full-en=1" });
    expect(Object.keys(body.feedStatuses).sort()).toEqual(
      [...idsOf("hang"), ...idsOf("fail"), ...idsOf("junk")].sort(),
    );
    expect(Object.values(body.feedStatuses).filter((status) => status === "timeout")).toHaveLength(5);

    const cards = json(await stack.get("/api/datasets?name=news-feeds")) as {
      datasets: {
        name: string;
        ingredients?: { dataset: string; generation: number }[];
        parts: { provenanceCount: number; provenance: { request: string }[] }[];
        troubles: { request: string }[];
      }[];
    };
    expect(cards.datasets).toHaveLength(1);
    const [card] = cards.datasets;
    const part = card?.parts[0];
    expect(part?.provenance.map(({ request }) => request).sort()).toEqual(idsOf("fine").sort());
    expect(card?.troubles).toHaveLength(62);
    const all = json(await stack.get("/api/datasets")) as typeof cards;
    const short = all.datasets.find(({ name }) => name === "news-feeds")?.parts[0];
    expect([short?.provenance.length, short?.provenanceCount]).toEqual([20, idsOf("fine").length]);
    const digest = all.datasets.find(({ name }) => name === "digest-full-en");
    expect(digest?.ingredients).toEqual([
      { dataset: "news-feeds", generation: 1, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(card?.troubles.find(({ request }) => request === "fail-1")).toEqual({
      request: "fail-1",
      state: "failed",
      since: expect.any(Number),
      error: "fail-1.example.org/fail-1.xml: answered 500; expected 200",
    });
  });
});

test("a run that is out of time publishes what it has, and the next run is due within 10 s", async () => {
  const names = Array.from({ length: 25 }, (_, index) => (index < 3 ? `fine-${index}` : `slow-${index}`));
  const feeds = names.map((name) => feedAt(name, [["full", "politics"]]));
  const stack = await stackOf(feeds, { datasets: ["digest-full-en"] });
  stack.simulator.faults.set({ upstream: "own-feeds", match: "/slow-" }, { kind: "hang" }, 20);
  const run = stack.run("digest-full-en");
  await until(() => stack.simulator.requests.list().length === 23);
  // After this, both time limits have passed: the eight seconds of each feed and the ten seconds of the run.
  stack.clock.advance(10 * SECOND_MS);
  expect((await run).outcome).toBe("published");
  const first = (await digestOf(stack)).body;
  expect(first.coverage).toMatchObject({ state: "partial", feedCompleted: 3 });
  expect(Object.values(first.feedStatuses).filter((status) => status === "timeout")).toHaveLength(22);
  const { nextAt } = stack.service.registry.status(stack.dataset("news-feeds")) ?? {};
  expect((nextAt ?? 0) - stack.clock.now()).toBeLessThan(10 * SECOND_MS);
  // Feeds that failed are read again after five minutes.
  stack.clock.advance(5 * MINUTE_MS);
  await stack.run("digest-full-en");
  expect((await digestOf(stack)).body.coverage).toMatchObject({ feedCompleted: 25, servedStale: false });
});

const few = [
  feedAt("one", [
    ["full", "politics"],
    ["tech", "ai"],
  ]),
  feedAt("two", [["full", "europe"]]),
  feedAt("trois", [["full", "europe"]], "fr"),
  feedAt("quatre", [["full", "europe"]], "fr"),
];

describe("a digest during an outage", () => {
  test("becomes stale even if no build is attempted, and then has a different ETag from the fresh digest", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    await stack.run("digest-full-en");
    const fresh = await digestOf(stack);
    const { ETag = "" } = fresh.answer.headers;
    stack.clock.advance(HOUR_MS + MINUTE_MS);
    const stale = await digestOf(stack);
    expect(stale.body.coverage).toMatchObject({ state: "stale", staleReason: "build-error" });
    expect(stale.answer.headers["ETag"]).not.toBe(ETag);
    const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "if-none-match": ETag };
    expect((await stack.get("/api/news/v1/list-feed-digest", headers)).status).toBe(200);
  });

  test("serves the last good content, marked stale, until the next good build", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    await stack.run("digest-full-en");
    const good = await digestOf(stack);
    expect(linksOf(good.body)).toHaveLength(10);
    const builtAt = stack.clock.now();
    expect(good.body.generatedAt).toBe(new Date(builtAt).toISOString());

    stack.simulator.faults.set({ upstream: "*" }, { kind: "down" });
    stack.clock.advance(HOUR_MS);
    const failed = await stack.run("digest-full-en");
    expect(failed).toMatchObject({
      outcome: "failed",
      status: { error: expect.stringMatching(/^held by the gate: no items from 2 feeds, of which 2 failed/) },
    });
    // The next attempt is due within two minutes. Between two good builds, a quarter of an hour passes.
    expect((failed.status.nextAt ?? 0) - stack.clock.now()).toBeLessThan(2 * MINUTE_MS);
    const stale = await digestOf(stack);
    expect(stale.body.categories).toEqual(good.body.categories);
    expect(stale.body.generatedAt).toBe(good.body.generatedAt);
    expect(stale.body.coverage).toMatchObject({
      state: "stale",
      servedStale: true,
      staleReason: "empty-rebuild",
      staleAgeSeconds: 3_600,
      attemptedAt: new Date(stack.clock.now()).toISOString(),
    });
    // The feed counts are those of the latest attempt; the item count is that of the served content.
    expect(stale.body.coverage).toMatchObject({
      itemsServed: 10,
      feedTotal: 2,
      feedCompleted: 0,
      categoryCompleted: 0,
    });
    expect(new Set(Object.values(stale.body.coverage.categoryStates))).toEqual(new Set(["missing"]));
    expect(stale.body.feedStatuses).toEqual({ one: "empty", two: "empty" });
    expect(stale.answer.headers).toMatchObject({ "X-Vigil-State": "stale", "Cache-Control": "no-store" });
    expect(stale.answer.headers["ETag"]).not.toBe(good.answer.headers["ETag"]);

    await stack.restart();
    expect((await digestOf(stack)).body).toEqual(stale.body);

    stack.simulator.faults.clear();
    stack.clock.advance(10 * MINUTE_MS);
    await stack.run("digest-full-en");
    const recovered = await digestOf(stack);
    expect(recovered.body.coverage).toMatchObject({ servedStale: false, staleReason: "", feedCompleted: 2 });
    expect([recovered.body.feedStatuses, recovered.body.generatedAt]).toEqual([
      {},
      recovered.body.coverage["attemptedAt"],
    ]);
  });

  test("keeps the entries of a single failing feed for six hours and reports its failure", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    await stack.run("digest-full-en");
    stack.simulator.faults.set({ upstream: "own-feeds", match: "/two" }, { kind: "down" });
    const ofTwo = async () => {
      const { body } = await digestOf(stack);
      return [linksOf(body).filter((link) => link.includes("//two.")).length, body.feedStatuses];
    };
    stack.clock.advance(6 * HOUR_MS);
    await stack.run("digest-full-en");
    expect(await ofTwo()).toEqual([5, { two: "empty" }]);
    stack.clock.advance(HOUR_MS);
    await stack.run("digest-full-en");
    expect(await ofTwo()).toEqual([0, { two: "empty" }]);
  });
});

describe("a feed", () => {
  const requestedUrls = (stack: Stack): string[] => stack.simulator.requests.list().map(({ url }) => url);

  test("is requested once for all variants and languages", async () => {
    const stack = await stackOf(few);
    for (const name of ["digest-full-en", "digest-tech-en", "digest-full-fr"]) await stack.run(name);
    expect(requestedUrls(stack).sort()).toEqual(few.map(({ url }) => url).sort());
  });

  test("is requested again 14 minutes after the last request, and a 304 causes no new generation", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    const statuses = () => stack.simulator.requests.list().map(({ status }) => status);
    await stack.run("digest-full-en");
    stack.clock.advance(14 * MINUTE_MS - 1);
    await stack.run("digest-full-en");
    expect(statuses()).toEqual([200, 200, 200, 200]);
    stack.clock.advance(1);
    await stack.run("digest-full-en");
    expect(statuses()).toEqual([200, 200, 200, 200, 304, 304, 304, 304]);
    expect(stack.service.registry.generation(stack.dataset("news-feeds"))?.generation).toBe(1);
    expect(linksOf((await digestOf(stack)).body)).toHaveLength(10);
  });
});

describe("a digest in a language that has not been requested yet", () => {
  test("is built at once for its first request, which waits for the build", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en", "digest-full-fr"] });
    const listed = () => stack.service.registry.datasets.map(({ name }) => name);
    expect(listed()).toEqual(["news-feeds", "digest-full-en"]);
    stack.service.ingest.start();
    const { answer, body } = await digestOf(stack, "lang=fr");
    expect(linksOf(body).some((link) => link.startsWith("https://trois."))).toBe(true);
    expect(answer.headers["X-Vigil-Generation"]).toBe("digest-full-fr=1");
    expect(listed()).toEqual(["news-feeds", "digest-full-en", "digest-full-fr"]);
    stack.clock.advance(DAY_MS);
    expect(listed()).toEqual(["news-feeds", "digest-full-en"]);
  });

  test("is unavailable if the build takes longer than the request may wait", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-fr"] });
    stack.simulator.faults.set({ upstream: "*" }, { kind: "hang" });
    stack.service.ingest.start();
    const pendingDigest = digestOf(stack, "lang=fr");
    await until(() => stack.simulator.requests.list().length === 4);
    stack.clock.advance(14 * SECOND_MS);
    const { answer, body } = await pendingDigest;
    expect(body.coverage).toMatchObject({ state: "unavailable", itemsServed: 0, categoryTotal: 17 });
    expect(new Set(Object.values(body.coverage.categoryStates))).toEqual(new Set(["missing"]));
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "absent", "Cache-Control": "no-store" });
    expect(answer.headers).not.toHaveProperty("ETag");
  });

  test("stays active after its first request, even after a restart", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en", "digest-full-fr"] });
    await digestOf(stack, "lang=fr");
    await stack.restart();
    expect(stack.service.registry.datasets.map(({ name }) => name)).toContain("digest-full-fr");
  });
});

describe("the state of a digest", () => {
  const revalidate = (stack: Stack, tag: string) =>
    stack.get(PATH, { "x-service-key": stack.service.access.ownerKey.key ?? "", "if-none-match": tag });

  test("an absent digest has empty categories in the state missing, has no times and is not cached", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    const { answer, body } = await digestOf(stack);
    expect(Object.keys(body.categories)).toEqual([...full]);
    expect(body).toMatchObject({
      feedStatuses: {},
      coverage: { state: "unavailable", categoryCompleted: 0 },
    });
    expect(body).not.toHaveProperty("generatedAt");
    expect(body.coverage).not.toHaveProperty("attemptedAt");
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "absent", "Cache-Control": "no-store" });
  });

  test("a digest whose only build failed has the feed statuses of that attempt and no content time", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    stack.simulator.faults.set({ upstream: "*" }, { kind: "down" });
    await stack.run("digest-full-en");
    const { answer, body } = await digestOf(stack);
    expect(answer.headers["X-Vigil-State"]).toBe("absent");
    expect(body).not.toHaveProperty("generatedAt");
    expect(body).toMatchObject({
      feedStatuses: { one: "empty", two: "empty" },
      coverage: { state: "unavailable", itemsServed: 0, feedTotal: 2, feedCompleted: 0, categoryTotal: 17 },
    });
    expect(body.coverage["attemptedAt"]).toBe(new Date(stack.clock.now()).toISOString());
  });

  test("a digest rebuilt with equal content has the time of the latest attempt", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    await stack.run("digest-full-en");
    for (const waitMs of [0, 1, 15 * MINUTE_MS]) {
      stack.clock.advance(waitMs);
      await stack.run("digest-full-en");
      const { body } = await digestOf(stack);
      expect(body.coverage["attemptedAt"]).toBe(new Date(stack.clock.now()).toISOString());
      expect(body.generatedAt).toBe(body.coverage["attemptedAt"]);
    }
  });

  test("a digest without items never has the state ok, even if the publication gate is off", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"], gated: false });
    stack.simulator.faults.set({ upstream: "*" }, { kind: "down" });
    await stack.run("digest-full-en");
    const { answer, body } = await digestOf(stack);
    expect(body.coverage).toMatchObject({ state: "unavailable", itemsServed: 0 });
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
  });

  test("a complete digest is revalidated until its content is an hour old", async () => {
    const everywhere = full.map((category) => feedAt(`of-${category}`, [["full", category]]));
    const stack = await stackOf(everywhere, { datasets: ["digest-full-en"] });
    await stack.run("digest-full-en");
    const { answer, body } = await digestOf(stack);
    expect(body.coverage).toMatchObject({ state: "complete", itemsServed: 85, feedCompleted: 17 });
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "ok", "Cache-Control": "private, no-cache" });
    const tag = answer.headers["ETag"] ?? "";
    stack.clock.advance(HOUR_MS - 1);
    expect((await revalidate(stack, tag)).status).toBe(304);
    // Now the content is an hour old, because no build has run since.
    stack.clock.advance(1);
    const stale = await digestOf(stack);
    expect(stale.answer.headers).toMatchObject({ "X-Vigil-State": "stale", "Cache-Control": "no-store" });
    expect(stale.body.coverage).toMatchObject({ state: "stale", servedStale: true, staleReason: "build-error" });
    await stack.run("digest-full-en");
    expect((await revalidate(stack, tag)).status).toBe(200);
  });

  test("an unreadable digest is served like an absent one, and its state is unreadable", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    const { generation } = await stack.run("digest-full-en");
    await writeFile(join(stack.dataDir, "bodies", generation?.contentHash ?? ""), "not what was stored");
    await stack.restart();
    const { answer, body } = await digestOf(stack);
    expect([answer.headers["X-Vigil-State"], body.coverage["state"]]).toEqual(["unreadable", "unavailable"]);
  });
});

test("invalid changes to the feed catalogue prevent the start and are explained in one sentence", async () => {
  const { settings } = await loadServices();
  const start = (feeds: unknown) => () => loadConfig({ VIGIL_FEEDS: JSON.stringify(feeds) }, [], settings);
  expect(start({ remove: ["no-such-feed"] })).toThrow(
    /VIGIL_FEEDS .*must name a feed of the catalogue, got "no-such-feed"/,
  );
  expect(start({ drop: [] })).toThrow(/VIGIL_FEEDS .*drop is an unknown member/);
  expect(start({ add: few })).not.toThrow();
});

describe("the query of list-feed-digest", () => {
  test("an unknown variant means the full digest, and an unknown language is rejected with the list of languages", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    const energy = await digestOf(stack, "variant=energy");
    expect(energy.answer.headers["X-Vigil-Generation"]).toBe("digest-full-en=0");
    expect(energy.body).toEqual((await digestOf(stack)).body);
    const refused = await stack.get(`${PATH}?lang=tlh`);
    expect(refused.status).toBe(400);
    expect(json(refused)).toMatchObject({
      violations: [{ field: "lang", description: expect.stringMatching(/must be one of ar, .*fr, .*got "tlh"/) }],
    });
  });

  test("the parameter explain adds the parts of each score and changes nothing else", async () => {
    const stack = await stackOf(few, { datasets: ["digest-full-en"] });
    await stack.run("digest-full-en");
    const plain = (await digestOf(stack)).body.categories["politics"]?.items[0];
    const explained = (await digestOf(stack, "explain=true")).body.categories["politics"]?.items[0];
    expect(plain).not.toHaveProperty("explain");
    expect(explained).toEqual({ ...plain, explain: expect.objectContaining({ importance: expect.any(Array) }) });
  });
});
