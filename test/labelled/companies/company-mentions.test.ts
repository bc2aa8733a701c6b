import { describe, expect, test } from "vitest";
import { recordedTitle, recordingsAbsent } from "../../support/recordings.js";
import { firstCompanies, fourthCompanies, secondCompanies, thirdCompanies } from "./companies.js";
import {
  firstMentions,
  fourthMentions,
  heldOutMentions,
  MENTION_TRAPS,
  secondMentions,
  thirdMentions,
  trapOf,
} from "./company-mentions.js";
import { titleAt } from "./recorded-titles.js";
import { repeatedIn } from "./repeated.js";

const tuningCompanies = [...firstCompanies(), ...secondCompanies(), ...thirdCompanies()];
const first = { mentions: firstMentions(), companies: tuningCompanies };
const second = { mentions: secondMentions(), companies: tuningCompanies };
const third = { mentions: thirdMentions(), companies: tuningCompanies };
const fourth = { mentions: fourthMentions(), companies: [...tuningCompanies, ...fourthCompanies()] };
const heldOut = { mentions: heldOutMentions(), companies: fourth.companies };
const mentions = [first, second, third, fourth, heldOut].flatMap((set) => set.mentions);

test.each([
  ["first", first, { all: 1300, withCompany: 600, several: 60, hardNegatives: 350, filings: 240, recorded: 420 }],
  ["second", second, { all: 1200, withCompany: 550, several: 55, hardNegatives: 350, filings: 180, recorded: 250 }],
  ["third", third, { all: 640, withCompany: 300, several: 30, hardNegatives: 180, filings: 90, recorded: 14 }],
  ["fourth", fourth, { all: 640, withCompany: 300, several: 30, hardNegatives: 180, filings: 80, recorded: 0 }],
  ["held-out", heldOut, { all: 550, withCompany: 300, several: 5, hardNegatives: 240, filings: 0, recorded: 0 }],
] as const)("the %s set has enough rows of each kind", (_, set, min) => {
  const withoutCompany = set.mentions.filter(({ expected }) => expected.length === 0);
  expect(set.mentions.length).toBeGreaterThanOrEqual(min.all);
  expect(set.mentions.length - withoutCompany.length).toBeGreaterThanOrEqual(min.withCompany);
  expect(set.mentions.filter(({ expected }) => expected.length > 1).length).toBeGreaterThanOrEqual(min.several);
  expect(withoutCompany.filter(({ note }) => trapOf(note) !== "plain").length).toBeGreaterThanOrEqual(
    min.hardNegatives,
  );
  expect(set.mentions.filter(({ kind }) => kind === "filing").length).toBeGreaterThanOrEqual(min.filings);
  expect(set.mentions.filter(({ recorded }) => recorded !== "").length).toBeGreaterThanOrEqual(min.recorded);
});

test.each([
  ["second", second, secondCompanies()],
  ["third", third, thirdCompanies()],
  ["fourth", fourth, fourthCompanies()],
] as const)("in the %s set, 60 to 80 percent of rows with a company expect an added company", (_, set, added) => {
  const addedIds = new Set(added.map(({ id }) => id));
  const withCompany = set.mentions.filter(({ expected }) => expected.length > 0);
  const withAddedCompany = withCompany.filter(({ expected }) => expected.some((id) => addedIds.has(id)));
  const addedRatio = withAddedCompany.length / withCompany.length;
  expect(addedRatio).toBeGreaterThan(0.6);
  expect(addedRatio).toBeLessThan(0.8);
});

test.each([
  ["first", first],
  ["second", second],
  ["third", third],
  ["fourth", fourth],
  ["held-out", heldOut],
] as const)("the notes of the %s set contain every documented trap and no other", (_, set) => {
  const traps = new Set(set.mentions.map(({ note }) => trapOf(note)));
  expect([...traps].sort()).toEqual([...MENTION_TRAPS]);
});

test("no two rows share an id or a title, and every title is either a text or a locator", () => {
  expect(repeatedIn(mentions.map(({ id }) => id))).toEqual([]);
  expect(repeatedIn(mentions.map(({ text, recorded }) => (text || recorded).toLowerCase()))).toEqual([]);
  expect(mentions.filter(({ text, recorded }) => (text === "") === (recorded === ""))).toEqual([]);
});

test.each([
  ["first", first],
  ["second", second],
  ["third", third],
  ["fourth", fourth],
  ["held-out", heldOut],
] as const)("every company expected in the %s set exists, and no row expects a company twice", (_, set) => {
  const companyIds = new Set(set.companies.map(({ id }) => id));
  expect(set.mentions.filter(({ expected }) => expected.some((id) => !companyIds.has(id)))).toEqual([]);
  expect(set.mentions.filter(({ expected }) => repeatedIn(expected).length > 0)).toEqual([]);
});

test.each([
  ["first", first, firstCompanies()],
  ["second", second, secondCompanies()],
  ["third", third, thirdCompanies()],
  ["fourth", fourth, fourthCompanies()],
] as const)("every company added with the %s set is expected in some row of this set", (_, set, companies) => {
  const expectedIds = new Set(set.mentions.flatMap(({ expected }) => expected));
  expect(companies.map(({ id }) => id).filter((id) => !expectedIds.has(id))).toEqual([]);
});

interface Filing {
  readonly title: string;
  readonly expected: readonly string[];
}

/**
 * Returns the filings with a wrong label. The label must be exactly the company with the filer's CIK. If no company has
 * this CIK, the label may list only companies without a CIK, which are expected by their name.
 */
function filingsLabelledOtherwise(
  filings: readonly Filing[],
  companies: ReturnType<typeof firstCompanies>,
): readonly Filing[] {
  const idByCik = new Map(
    companies.flatMap(({ id, identifiers }) =>
      identifiers.filter((text) => text.startsWith("CIK:")).map((text) => [text.slice("CIK:".length), id] as const),
    ),
  );
  const idsWithCik = new Set(idByCik.values());
  return filings.filter(({ title, expected }) => {
    const [, cik] = / \((\d{10})\) \([A-Z][A-Za-z ]+\)$/.exec(title) ?? [];
    if (cik === undefined) throw new Error(`${title} does not end in a CIK and a role`);
    const filer = idByCik.get(cik);
    return filer === undefined ? expected.some((id) => idsWithCik.has(id)) : expected.join() !== filer;
  });
}

test.each([
  ["first", first],
  ["second", second],
  ["third", third],
  ["fourth", fourth],
] as const)("in the %s set, the label of each written filing is the company with its CIK, if any", (_, set) => {
  const filings = set.mentions.filter(({ kind, text }) => kind === "filing" && text !== "");
  const titled = filings.map(({ text, expected }) => ({ title: text, expected }));
  expect(filingsLabelledOtherwise(titled, set.companies)).toEqual([]);
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("every locator leads to a title with the locator's hash, and no two locators lead to the same title", () => {
    const titles = mentions.flatMap(({ recorded }) => (recorded === "" ? [] : titleAt(recorded)));
    expect(titles).not.toContain("");
    expect(repeatedIn(titles)).toEqual([]);
  });

  test.each([
    ["first", first],
    ["second", second],
    ["third", third],
    ["fourth", fourth],
  ] as const)("in the %s set, the label of each recorded filing is the company with its CIK, if any", (_, set) => {
    const filings = set.mentions.filter(({ kind, recorded }) => kind === "filing" && recorded !== "");
    const titled = filings.map(({ recorded, expected }) => ({ title: titleAt(recorded), expected }));
    expect(filingsLabelledOtherwise(titled, set.companies)).toEqual([]);
  });
});
