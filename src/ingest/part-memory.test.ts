import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { type AnyPart, type PartMemory, part } from "../contract/dataset.js";
import { settingReader } from "../contract/setting.js";
import type { PartStatus } from "../contract/snapshot.js";
import { memoryAfter, memoryBefore } from "./part-memory.js";

const partWith = (describes: PartMemory["describes"]): AnyPart =>
  part<object, object, readonly number[], number>({
    sources: [],
    plan: () => ({}),
    memory: {
      schema: Type.Array(Type.Number()),
      initial: [],
      describes,
      after: (memory, progress) => [...memory, ...progress],
    },
  });
const withoutMemory: AnyPart = part<object, object>({ sources: [], plan: () => ({}) });

describe("the memory with which a run begins", () => {
  test.each([
    ["is the stored one", [1], [2], [1]],
    ["is the one found among the records where none is stored", undefined, [2], [2]],
    ["is the first one where neither is there", undefined, undefined, []],
    ["is not one of another form", { spans: [1] }, undefined, []],
  ])("%s", (_name, stored, opened, memory) => {
    expect(memoryBefore(partWith("records"), stored, opened)).toEqual(memory);
  });

  test("is none for a part that remembers nothing", () => {
    expect(memoryBefore(withoutMemory, [1], [2])).toBeUndefined();
  });
});

describe("the memory that a run leaves", () => {
  const before = { records: [], provenance: {}, status: undefined, memory: [1] };
  const left = (
    describes: PartMemory["describes"],
    run: { readonly isStored: boolean; readonly isRead: boolean; readonly state?: PartStatus["state"] },
  ): unknown => {
    const { state = "fresh", isRead, isStored } = run;
    const status = { state, confirmedAt: 0, error: null, validators: {} };
    const after = { records: [], provenance: {}, failure: undefined, progress: [2], isRead, status };
    return memoryAfter(partWith(describes), before, after, { now: 0, settingOf: settingReader({}), isStored });
  };

  test.each([
    ["grows with a reading that is stored", "records", { isStored: true, isRead: true }, [1, 2]],
    ["stays where the build is not published", "records", { isStored: false, isRead: true }, [1]],
    ["stays where nothing was read", "records", { isStored: true, isRead: false, state: "kept" }, [1]],
    ["goes with the records", "records", { isStored: true, isRead: false, state: "missing" }, undefined],
    [
      "grows with requests whatever came of them",
      "requests",
      { isStored: false, isRead: false, state: "missing" },
      [1, 2],
    ],
    ["goes with a part that is switched off", "requests", { isStored: true, isRead: false, state: "off" }, undefined],
  ] as const)("%s", (_name, describes, run, memory) => {
    expect(left(describes, run)).toEqual(memory);
  });
});
