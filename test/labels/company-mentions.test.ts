import { describe, expect, test } from "vitest";
import { recordedTitle, recordingsAbsent } from "../support/recordings.js";
import { labelledCompanies } from "./companies.js";
import { labelledMentions, MENTION_TRAPS, trapOf } from "./company-mentions.js";
import { isHeldOut } from "./held-out.js";
import { titleAt } from "./recorded-titles.js";
import { repeatedIn } from "./repeated.js";

const companies = labelledCompanies();
const mentions = labelledMentions();
const companyIds = new Set(companies.map(({ id }) => id));

const withCompany = mentions.filter(({ expected }) => expected.length > 0);
const withoutCompany = mentions.filter(({ expected }) => expected.length === 0);
const hardNegatives = withoutCompany.filter(({ note }) => trapOf(note) !== "plain");

test("the set has enough rows with a company, without one and with several", () => {
  expect(mentions.length).toBeGreaterThanOrEqual(650);
  expect(withCompany.length).toBeGreaterThanOrEqual(330);
  expect(withoutCompany.length).toBeGreaterThanOrEqual(250);
  expect(hardNegatives.length).toBeGreaterThanOrEqual(150);
  expect(mentions.filter(({ expected }) => expected.length > 1).length).toBeGreaterThanOrEqual(40);
  expect(mentions.filter(({ kind }) => kind === "filing").length).toBeGreaterThanOrEqual(150);
  expect(mentions.filter(({ recorded }) => recorded !== "").length).toBeGreaterThanOrEqual(200);
});

test.each(["tuning", "held-out"] as const)("the %s part has enough rows of each sort", (part) => {
  const inPart = ({ id }: { readonly id: string }): boolean => isHeldOut(id) === (part === "held-out");
  expect(withCompany.filter(inPart).length).toBeGreaterThanOrEqual(100);
  expect(withoutCompany.filter(inPart).length).toBeGreaterThanOrEqual(75);
  expect(hardNegatives.filter(inPart).length).toBeGreaterThanOrEqual(45);
  const traps = new Set(mentions.filter(inPart).map(({ note }) => trapOf(note)));
  expect([...traps].sort()).toEqual([...MENTION_TRAPS]);
});

test("about 30 % of the rows are held out", () => {
  const heldOutRatio = mentions.filter(({ id }) => isHeldOut(id)).length / mentions.length;
  expect(heldOutRatio).toBeGreaterThan(0.27);
  expect(heldOutRatio).toBeLessThan(0.33);
});

test("every row has an id and a title of its own, either as text or as a locator", () => {
  expect(repeatedIn(mentions.map(({ id }) => id))).toEqual([]);
  expect(repeatedIn(mentions.map(({ text, recorded }) => text || recorded))).toEqual([]);
  expect(mentions.filter(({ text, recorded }) => (text === "") === (recorded === ""))).toEqual([]);
});

test("every expected company exists, at most once in a row, and every company is expected in some row", () => {
  const unknown = mentions.filter(({ expected }) => expected.some((id) => !companyIds.has(id)));
  expect(unknown).toEqual([]);
  expect(mentions.filter(({ expected }) => repeatedIn(expected).length > 0)).toEqual([]);
  const expectedIds = new Set(mentions.flatMap(({ expected }) => expected));
  expect([...companyIds].filter((id) => !expectedIds.has(id))).toEqual([]);
});

/** The company that has the CIK of a title of a filing, if any. */
function filerIn(title: string): string | undefined {
  const [, cik] = / \((\d{10})\) \([A-Z][A-Za-z ]+\)$/.exec(title) ?? [];
  if (cik === undefined) throw new Error(`${title} does not end in a CIK and a role`);
  return companies.find(({ identifiers }) => identifiers.includes(`CIK:${cik}`))?.id;
}

/** Filings whose label differs from the company of their CIK. A company without a CIK is known by name alone. */
function filingsLabelledOtherwise(
  filings: readonly { readonly title: string; readonly expected: readonly string[] }[],
) {
  const withCik = new Set(
    companies.filter(({ identifiers }) => identifiers.some((text) => text.startsWith("CIK:"))).map(({ id }) => id),
  );
  return filings.filter(({ title, expected }) => {
    const filer = filerIn(title);
    return filer === undefined ? expected.some((id) => withCik.has(id)) : expected.join() !== filer;
  });
}

test("the label of a filing follows its CIK", () => {
  const filings = mentions.filter(({ kind, text }) => kind === "filing" && text !== "");
  expect(filingsLabelledOtherwise(filings.map(({ text, expected }) => ({ title: text, expected })))).toEqual([]);
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("every locator leads to a title of that hash, and no two to the same title", () => {
    const titles = mentions.flatMap(({ recorded }) => (recorded === "" ? [] : titleAt(recorded)));
    expect(titles).not.toContain("");
    expect(repeatedIn(titles)).toEqual([]);
  });

  test("the label of a recorded filing follows its CIK", () => {
    const filings = mentions.filter(({ kind, recorded }) => kind === "filing" && recorded !== "");
    const titled = filings.map(({ recorded, expected }) => ({ title: titleAt(recorded), expected }));
    expect(filingsLabelledOtherwise(titled)).toEqual([]);
  });
});
