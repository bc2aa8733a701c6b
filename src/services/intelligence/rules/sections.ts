import type { BriefEvidence, EvidenceKind } from "../records.js";

/** The sections of a brief in order, each with its maximum number of claims. */
export const sections = {
  situation: { heading: "Situation", claimsMax: 2 },
  implications: { heading: "Implications", claimsMax: 3 },
  risks: { heading: "Risks", claimsMax: 3 },
  outlook: { heading: "Outlook", claimsMax: 2 },
  watch: { heading: "Watch", claimsMax: 2 },
} as const;
export type Section = keyof typeof sections;
export const sectionNames = Object.keys(sections) as readonly Section[];

export function isSection(name: string): name is Section {
  return Object.hasOwn(sections, name);
}

/** The kind of evidence that a section rests on. */
type Ground = "headline" | "market" | "data";

/**
 * The kinds of market evidence. Economic evidence (consumer prices and yields) is one of them, because no other stored
 * data is closer to markets.
 */
const marketKinds: ReadonlySet<EvidenceKind> = new Set(["market", "forecast", "economic"]);

function groundOf(kind: EvidenceKind): Ground {
  if (kind === "headline") return "headline";
  return marketKinds.has(kind) ? "market" : "data";
}

/**
 * Tests whether a claim cites the kinds of evidence that its section needs. The implications and the risks need an item
 * other than a headline, and the outlook may cite only market evidence. If the brief is about the news
 * (`headlinesLead`), the situation and the implications also need a headline.
 */
export function restsRightly(section: Section, cited: readonly BriefEvidence[], headlinesLead: boolean): boolean {
  const grounds = cited.map(({ kind }) => groundOf(kind));
  const hasHeadline = grounds.includes("headline");
  const hasData = grounds.some((ground) => ground !== "headline");
  switch (section) {
    case "situation":
      return hasHeadline || !headlinesLead;
    case "implications":
      return hasData && (hasHeadline || !headlinesLead);
    case "risks":
      return hasData;
    case "outlook":
      return grounds.every((ground) => ground === "market");
    case "watch":
      return true;
  }
}
