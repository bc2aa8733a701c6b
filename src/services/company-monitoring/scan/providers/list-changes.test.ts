import { expect, test } from "vitest";
import type { PartStatus } from "../../../../contract/snapshot.js";
import { finding } from "../../admission/testing/findings.js";
import type { Finding } from "../finding.js";
import { LISTED, listChanges } from "./list-changes.js";

const listing = (id: string, name = "OOO Romashka"): Finding =>
  finding({
    provider: "MONITORING_PROVIDER_SANCTIONS",
    sourceId: id,
    origin: "sanctions sdn",
    title: `${name}${LISTED}OFAC SDN`,
    publishedAt: 1,
  });
const fresh = (confirmedAt: number): PartStatus => ({ state: "fresh", confirmedAt, error: null });
const listsAt = (sdn: PartStatus, ...ids: readonly string[]) => ({ view: { ids: new Set(ids) }, parts: { sdn } });
const stored = (item: Finding, foundAt = 10) => ({ finding: item, foundAt });
const changeIds = (...input: Parameters<typeof listChanges>) => listChanges(...input).map(({ sourceId }) => sourceId);

test("an entry missing from a newer read of its list is withdrawn once", () => {
  const entry = listing("sdn:1");
  const [delisting, ...others] = listChanges([stored(entry)], [], listsAt(fresh(11), "sdn:2"));
  expect(others).toEqual([]);
  expect(delisting).toEqual({
    ...entry,
    sourceId: "sdn:1 #1 delisted",
    title: "OOO Romashka is no longer on the list OFAC SDN",
    publishedAt: 11,
    withdraws: "sdn:1",
  });
  if (delisting) expect(listChanges([stored(entry), stored(delisting, 12)], [], listsAt(fresh(13)))).toEqual([]);
});

test.each<[reason: string, PartStatus]>([
  ["has not been read again", fresh(10)],
  ["could not be read", { state: "kept", confirmedAt: 11, error: "500" }],
  ["is missing", { state: "missing", confirmedAt: null, error: "500" }],
  ["is switched off", { state: "off", confirmedAt: null, error: null }],
  ["lacks rows", { ...fresh(11), lacking: "the second page" }],
])("an entry is not withdrawn if its list %s", (_, status) => {
  expect(listChanges([stored(listing("sdn:1"))], [], listsAt(status))).toEqual([]);
});

test("an entry is not withdrawn if it or an entry with the same name is listed, or if its list is too old", () => {
  const entry = stored(listing("sdn:1"));
  expect(listChanges([entry], [], listsAt(fresh(11), "sdn:1"))).toEqual([]);
  const aged = [{ part: "sdn", newestAt: 0, maxMs: 1 }];
  expect(listChanges([entry], [], { ...listsAt(fresh(11)), aged })).toEqual([]);
  expect(listChanges([entry], [listing("sdn:9")], listsAt(fresh(11), "sdn:9"))).toEqual([]);
  expect(listChanges([entry, stored(listing("sdn:9"))], [], listsAt(fresh(11), "sdn:9"))).toEqual([]);
  expect(changeIds([entry, stored(listing("sdn:9"))], [], listsAt(fresh(11)))).toEqual([
    "sdn:1 #1 delisted",
    "sdn:9 #1 delisted",
  ]);
});

test("an entry that returns to its list is a new finding, which can be withdrawn as well", () => {
  const entry = listing("sdn:1");
  let findings = [stored(entry)];
  const read = (at: number, ...entries: readonly Finding[]) => {
    const changes = listChanges(findings, entries, listsAt(fresh(at), ...entries.map(({ sourceId }) => sourceId)));
    findings = [...findings, ...changes.map((change) => stored(change, at))];
    return changes.map(({ sourceId, withdraws, publishedAt }) => [sourceId, withdraws, publishedAt]);
  };
  expect(read(20)).toEqual([["sdn:1 #1 delisted", "sdn:1", 20]]);
  expect(read(30, entry)).toEqual([["sdn:1 #2", undefined, 30]]);
  expect(read(40, entry)).toEqual([]);
  expect(read(50)).toEqual([["sdn:1 #2 delisted", "sdn:1 #2", 50]]);
});
