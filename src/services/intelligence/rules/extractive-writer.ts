import type { BriefEvidence, EvidenceKind } from "../records.js";
import { CLAIM_CHARACTERS_MAX, type Claim } from "./grounding/grounding.js";
import type { Section } from "./sections.js";

/**
 * The name of this writer in answers. The version in it changes whenever a change of the code makes the same evidence
 * yield a different text.
 */
export const EXTRACTIVE_MODEL = "vigil-extractive/1";

/** The template of a claim. The claim states facts one after another. */
interface Line {
  readonly section: Section;
  readonly holds: (item: BriefEvidence) => boolean;
  /** Returns the words before the facts. */
  readonly lead?: (facts: number, countryName: string) => string;
  readonly factsMax: number;
}

const isTrend = ({ label }: BriefEvidence): boolean => label.startsWith("Trend: ");
const ofKind =
  (...kinds: readonly EvidenceKind[]) =>
  (item: BriefEvidence): boolean =>
    kinds.includes(item.kind) && !isTrend(item);

/**
 * The lines, in the order of the text. Conflict and news go into the situation section, people and sanctions into the
 * implications, nature, internet and aviation into the risks, the economy into the outlook, and trends into the section
 * on what to watch.
 */
const lines: readonly Line[] = [
  { section: "situation", holds: ofKind("conflict"), factsMax: 2 },
  {
    section: "situation",
    holds: ofKind("headline"),
    factsMax: 3,
    lead: (facts, countryName) => `${facts === 1 ? "A headline names" : "Headlines name"} ${countryName}: `,
  },
  { section: "implications", holds: ofKind("humanitarian"), factsMax: 1 },
  { section: "implications", holds: ofKind("displacement"), factsMax: 2 },
  { section: "implications", holds: ofKind("sanctions"), factsMax: 4 },
  { section: "risks", holds: ofKind("disaster"), factsMax: 3 },
  { section: "risks", holds: ofKind("climate", "air-quality"), factsMax: 3 },
  { section: "risks", holds: ofKind("internet", "aviation"), factsMax: 4 },
  { section: "outlook", holds: ofKind("economic", "market", "forecast"), factsMax: 2 },
  { section: "watch", holds: isTrend, factsMax: 2 },
];

/**
 * Turns the facts into claims, at most one for each of `lines`. The last facts of a claim that would be too long are
 * left out. Equal evidence yields equal claims.
 */
export function extractiveClaims(countryName: string, evidence: readonly BriefEvidence[]): readonly Claim[] {
  return lines.flatMap(({ section, holds, lead, factsMax }): readonly Claim[] => {
    const facts = evidence.filter(holds).slice(0, factsMax);
    for (let count = facts.length; count > 0; count -= 1) {
      const stated = facts.slice(0, count);
      const text = `${lead?.(count, countryName) ?? ""}${stated.map(({ factText }) => factText).join(" ")}`;
      if (Array.from(text).length > CLAIM_CHARACTERS_MAX) continue;
      return [{ section, text, cites: stated.map(({ id }) => id) }];
    }
    return [];
  });
}
