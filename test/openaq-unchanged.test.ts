import { expect, test } from "vitest";
import { settingReader } from "../src/contract/setting.js";
import type { SourceRequest } from "../src/contract/source.js";
import { type PartBefore, readPart } from "../src/ingest/read-part.js";
import { readRows } from "../src/ingest/read-rows.js";
import { createTokens } from "../src/ingest/tokens.js";
import { HOUR_MS } from "../src/kit/clock.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { turnstile } from "../src/kit/turnstile.js";
import { airQuality } from "../src/services/climate/datasets/air-quality.js";
import type { UpstreamAnswer, UpstreamCall } from "../src/upstream/answer.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const STATIONS = [1, 2, 3];

/** Answers with the stations, which never change, or with one reading of each station from the last hour. */
function answerTo({ key }: SourceRequest, at: number): object {
  const coordinates = { latitude: 50, longitude: 8 };
  const results = STATIONS.map((id) =>
    key.startsWith("locations")
      ? { id, name: `Station ${id}`, locality: null, country: { code: "DE" }, coordinates }
      : { locationsId: id, value: 10 + id, datetime: { utc: new Date(at - HOUR_MS / 2).toISOString() }, coordinates },
  );
  return { meta: { found: STATIONS.length }, results };
}

function rethrow(error: unknown): never {
  throw error;
}

test("OpenAQ's whole list of stations is read in every run, so that a 304 never makes stations disappear", async () => {
  const clock = manualClock(NOW);
  const conditions: unknown[] = [];
  const client = {
    async fetch(request: SourceRequest, { validators }: UpstreamCall = {}): Promise<UpstreamAnswer> {
      conditions.push(validators);
      const notModified = validators !== undefined;
      const bytes = Buffer.from(notModified ? "" : JSON.stringify(answerTo(request, clock.now())));
      return {
        url: request.url,
        via: undefined,
        status: notModified ? 304 : 200,
        notModified,
        bytes,
        simulated: false,
        contentType: undefined,
        etag: '"same"',
        lastModified: undefined,
        sha256: "0",
        fetchedAt: clock.now(),
        durationMs: 1,
      };
    },
    close: async () => undefined,
  };
  const tools = {
    clock,
    client,
    readRows: async (...args: Parameters<typeof readRows>) => readRows(...args),
    largeAnswers: turnstile(),
    budgets: { take: async () => undefined },
    tokens: createTokens(clock),
    settingOf: settingReader({}),
    credentials: { OPENAQ_API_KEY: "k" },
    openLicencesOnly: false,
    version: "1",
  };
  const run = { signal: new AbortController().signal, onReport: () => undefined, onFault: rethrow };
  let before: PartBefore = { records: [], provenance: {}, status: undefined, memory: undefined };
  for (const hour of [0, 1, 2]) {
    clock.set(NOW + hour * HOUR_MS);
    before = { ...(await readPart(tools, "openaq", airQuality.parts.openaq, before, run)), memory: undefined };
    expect(before.records).toMatchObject(
      STATIONS.map((id) => ({ station: `Station ${id}`, measuredAt: clock.now() - HOUR_MS / 2 })),
    );
  }
  expect(conditions).toEqual(conditions.map(() => undefined));
});
