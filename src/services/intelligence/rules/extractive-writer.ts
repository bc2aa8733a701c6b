import type { BriefEvidence, EvidenceKind } from "../records.js";
import { CLAIM_CHARACTERS_MAX, type Claim } from "./grounding/grounding.js";
import type { Section } from "./sections.js";

/** Names this writer in answers; another number would write the same evidence otherwise. */
export const EXTRACTIVE_MODEL = "vigil-extractive/1";

/** What one claim states, one fact after the other. */
interface Line {
  readonly section: Section;
  readonly holds: (item: BriefEvidence) => boolean;
  /** Words before the facts. */
  readonly lead?: (facts: number, countryName: string) => string;
  readonly factsMax: number;
}

const isTrend = ({ label }: BriefEvidence): boolean => label.startsWith("Trend: ");
const ofKind =
  (...kinds: readonly EvidenceKind[]) =>
  (item: BriefEvidence): boolean =>
    kinds.includes(item.kind) && !isTrend(item);

/** In the order in which they are read. Conflict and news say what is; people, nature and networks what it may come to. */
const lines: readonly Line[] = [
  { section: "situation", holds: ofKind("conflict"), factsMax: 2 },
  {
    ...{ section: "situation", holds: ofKind("headline"), factsMax: 3 },
    lead: (facts, countryName) => `${facts === 1 ? "A headline names" : "Headlines name"} ${countryName}: `,
  },
  { section: "implications", holds: ofKind("humanitarian"), factsMax: 1 },
  { section: "implications", holds: ofKind("displacement"), factsMax: 2 },
  { section: "risks", holds: ofKind("disaster"), factsMax: 3 },
  { section: "risks", holds: ofKind("climate", "air-quality"), factsMax: 3 },
  { section: "risks", holds: ofKind("internet", "aviation"), factsMax: 4 },
  { section: "outlook", holds: ofKind("economic", "market", "forecast"), factsMax: 2 },
  { section: "watch", holds: isTrend, factsMax: 2 },
];

/** The facts themselves as claims, in one order: equal evidence makes equal claims. */
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
