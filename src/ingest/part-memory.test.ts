import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { type AnyPart, type PartMemory, part } from "../contract/dataset.js";
import { settingReader } from "../contract/setting.js";
import type { PartStatus } from "../contract/snapshot.js";
import { accountOfKept } from "../snapshots/builds/build-account.js";
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

describe("the memory at the start of a run", () => {
  test.each([
    ["a run begins with the stored memory", [1], [2], [1]],
    [
      "a run begins with the memory that an earlier version stored among the records if no other is stored",
      undefined,
      [2],
      [2],
    ],
    ["a run begins with the initial memory if there is no other", undefined, undefined, []],
    ["a stored memory of a different shape is ignored", { spans: [1] }, undefined, []],
  ])("%s", (_name, stored, opened, memory) => {
    expect(memoryBefore(partWith("records"), stored, opened)).toEqual(memory);
  });

  test("a part without a memory declaration has no memory", () => {
    expect(memoryBefore(withoutMemory, [1], [2])).toBeUndefined();
  });
});

describe("the memory after a run", () => {
  const before = { records: [], provenance: {}, status: undefined, memory: [1] };
  const left = (
    describes: PartMemory["describes"],
    run: { readonly isStored: boolean; readonly isRead: boolean; readonly state?: PartStatus["state"] },
  ): unknown => {
    const { state = "fresh", isRead, isStored } = run;
    const status = { state, confirmedAt: 0, error: null, validators: {} };
    const after = {
      records: [],
      provenance: {},
      account: accountOfKept([]),
      failure: undefined,
      progress: [2],
      isRead,
      status,
    };
    return memoryAfter(partWith(describes), before, after, { now: 0, settingOf: settingReader({}), isStored });
  };

  test.each([
    ["the memory includes the progress of a stored run", "records", { isStored: true, isRead: true }, [1, 2]],
    ["the memory stays the same if the build is not published", "records", { isStored: false, isRead: true }, [1]],
    ["the memory stays the same if nothing was read", "records", { isStored: true, isRead: false, state: "kept" }, [1]],
    [
      "the memory is discarded with the records",
      "records",
      { isStored: true, isRead: false, state: "missing" },
      undefined,
    ],
    [
      "a memory that describes requests includes every request, whatever its outcome",
      "requests",
      { isStored: false, isRead: false, state: "missing" },
      [1, 2],
    ],
    [
      "the memory of a part that is switched off is discarded",
      "requests",
      { isStored: true, isRead: false, state: "off" },
      undefined,
    ],
  ] as const)("%s", (_name, describes, run, memory) => {
    expect(left(describes, run)).toEqual(memory);
  });
});
