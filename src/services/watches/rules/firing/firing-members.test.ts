import { expect, test } from "vitest";
import { definitionOf, minute, question } from "../../testing/scripted-call.js";
import { FIRING_BYTES_MAX, SOURCES_MAX } from "../limits.js";
import { firingMembers } from "./firing-members.js";
import type { NewFiring } from "./new-firing.js";

const watchId = "wch_01JDCXVKJ0000000000000000A";
const watch = { watchId, definition: definitionOf(), question };

const firing: NewFiring = {
  kind: "WATCH_FIRING_KIND_FIRED",
  firedAt: minute(0),
  state: "ok",
  generations: { a: 5 },
  previousGenerations: { a: 4 },
  rows: [{ change: "added", id: "r1", after: { id: "r1" } }],
  addedCount: 1,
  changedCount: 0,
  removedCount: 0,
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test("the members of a firing describe the watch, the firing, the paths to the data and its sources", () => {
  expect(firingMembers(watch, firing)).toEqual({
    ...firing,
    watchId,
    watchName: "Trials",
    on: "WATCH_ON_NEW_ROWS",
    firedAt: "2026-11-23T00:00:00.000Z",
    call: "/api/trials/v1/list-trials?country=SDN",
    links: {
      answer: "/api/trials/v1/list-trials?country=SDN&as_of=2026-11-23T00%3A00%3A00.000Z",
      changes: "/api/trials/v1/list-trials?country=SDN&since_generation=a%3D4%2Cb%3D0",
      history: ["/api/datasets/history?name=a", "/api/datasets/history?name=b"],
    },
    sources: [{ name: "Trial source", url: "https://trial.example", licence: "CC0" }],
  });
});

test("if a call has no query, its links have only the parameters that the service adds", () => {
  const definition = definitionOf({ call: "/api/trials/v1/list-trials" });
  expect(firingMembers({ ...watch, definition }, firing).links.answer).toBe(
    "/api/trials/v1/list-trials?as_of=2026-11-23T00%3A00%3A00.000Z",
  );
});

test.each([
  ["a firing of a call whose answer has no list", { ...question, isList: false }, firing],
  ["a firing without previous generations", question, { ...firing, previousGenerations: undefined }],
])("%s has no link to changes", (_, calledQuestion, members) => {
  const { previousGenerations, ...others } = members;
  const newFiring = { ...others, ...(previousGenerations && { previousGenerations }) };
  expect(firingMembers({ ...watch, question: calledQuestion }, newFiring).links).not.toHaveProperty("changes");
});

test("a firing lists at most 50 sources", () => {
  const [source] = question.sources;
  if (!source) throw new Error("the question has no source");
  const sources = new Array(80).fill(source);
  expect(firingMembers({ ...watch, question: { ...question, sources } }, firing).sources).toHaveLength(SOURCES_MAX);
});

test("a firing that would exceed 64 KB omits the values of its last rows and marks these rows as truncated", () => {
  const value = { text: "x".repeat(4_000) };
  const rows = Array.from({ length: 20 }, (_, index) => ({
    change: "changed" as const,
    id: `r${index}`,
    before: value,
    after: value,
  }));
  const members = firingMembers(watch, { ...firing, rows });
  expect(bytesOf(members)).toBeLessThanOrEqual(FIRING_BYTES_MAX);
  expect(members.rows?.map(({ isTruncated }) => isTruncated ?? false)).toEqual([
    ...new Array(7).fill(false),
    ...new Array(13).fill(true),
  ]);
  expect(members.rows?.[19]).toEqual({ change: "changed", id: "r19", isTruncated: true });
});

test("a firing stays within 64 KB even if all its texts and values have the maximum length", () => {
  const long = (characters: number): string => "\u0001".repeat(characters);
  const value = "€".repeat(1_364);
  const rows = Array.from({ length: 20 }, () => ({
    change: "changed" as const,
    id: long(200),
    before: value,
    after: value,
  }));
  const definition = definitionOf({ name: "€".repeat(120), call: `/api/${"x".repeat(2_043)}` });
  const members = firingMembers(
    { ...watch, definition },
    { ...firing, rows, before: value, after: value, message: "€".repeat(500) },
  );
  expect(bytesOf(members)).toBeLessThanOrEqual(FIRING_BYTES_MAX - 256);
});
