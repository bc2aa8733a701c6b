import { alpha2 } from "../../../../geography/countries.js";
import { count, counted } from "../../../../kit/counted.js";
import { listed, month } from "../phrases.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { type EvidenceIngredients, usable } from "./ingredients.js";

/** States political violence, deaths and demonstrations of the latest counted month. */
export function humanitarianEvidence(
  subject: Subject,
  { humanitarian }: EvidenceIngredients,
): readonly EvidenceDraft[] {
  const snapshot = usable(humanitarian);
  const summary = snapshot?.view.get(subject.code);
  if (!snapshot || !summary) return [];
  const first = Date.parse(summary.referencePeriod);
  if (Number.isNaN(first)) return [];
  const begun = new Date(first);
  const end = Date.UTC(begun.getUTCFullYear(), begun.getUTCMonth() + 1) - 1;
  const { conflictPoliticalViolenceEvents, conflictFatalities, civilianTargetingEvents, conflictDemonstrations } =
    summary;
  const violence =
    conflictPoliticalViolenceEvents === undefined ? [] : [counted(conflictPoliticalViolenceEvents, "event")];
  const demonstrations = conflictDemonstrations === undefined ? [] : [counted(conflictDemonstrations, "demonstration")];
  const targeting = civilianTargetingEvents ? ` (${count(civilianTargetingEvents)} of them targeting civilians)` : "";
  const parts = [
    ...violence.map((events) => `${events} of political violence${targeting}`),
    ...(conflictFatalities === undefined ? [] : [counted(conflictFatalities, "death")]),
    ...demonstrations,
  ];
  const [value] = [...violence, ...demonstrations];
  if (value === undefined) return [];
  return [
    {
      kind: "humanitarian",
      label: "Humanitarian summary of the month, HDX HAPI",
      value,
      factText: `For ${month(first)}, HDX HAPI counts ${listed(parts)} in ${subject.inText}.`,
      // The figures for an unfinished month cover it only up to the time of their collection.
      at: Math.min(end, snapshot.builtAt),
      age: "humanitarian",
      url: "https://hapi.humdata.org/",
    },
  ];
}

const UNHCR = "https://www.unhcr.org/refugee-statistics/";

/** States how many people are displaced from or within the country, and how many the country hosts. */
export function displacementEvidence(
  { code, inText }: Subject,
  { displaced }: EvidenceIngredients,
): readonly EvidenceDraft[] {
  const year = usable(displaced)?.view;
  const country = year?.countries.find((row) => alpha2(row.code) === code);
  if (!year || !country) return [];
  const about = { kind: "displacement", at: Date.UTC(year.year + 1, 0) - 1, age: "displacement", url: UNHCR } as const;
  const people = (parts: readonly (readonly [value: number, singular: string, plural: string])[]): string =>
    listed(parts.filter(([value]) => value > 0).map(([value, singular, plural]) => counted(value, singular, plural)));
  const { refugees, asylumSeekers, idps, stateless, hostRefugees, hostAsylumSeekers } = country;
  const left = people([
    [refugees, "refugee", "refugees"],
    [asylumSeekers, "asylum seeker", "asylum seekers"],
    [idps, "internally displaced person", "internally displaced people"],
    [stateless, "stateless person", "stateless people"],
  ]);
  const came = people([
    [hostRefugees, "refugee", "refugees"],
    [hostAsylumSeekers, "asylum seeker", "asylum seekers"],
  ]);
  const drafts: EvidenceDraft[] = [];
  if (left !== "") {
    drafts.push({
      ...about,
      label: "Displaced by origin, UNHCR",
      value: counted(country.totalDisplaced, "person", "people"),
      factText: `At the end of ${year.year}, UNHCR counts ${left} originating from ${inText}.`,
    });
  }
  if (came !== "") {
    drafts.push({
      ...about,
      label: "Hosted, UNHCR",
      value: counted(country.hostTotal, "person", "people"),
      factText: `At the end of ${year.year}, UNHCR counts ${came} hosted by ${inText}.`,
    });
  }
  return drafts;
}
