import type { BriefEvidence, BriefSource } from "../records.js";
import type { Claim } from "./grounding/grounding.js";
import { sectionNames, sections } from "./sections.js";

/** A served brief: the text and the cited evidence. */
export interface BriefText {
  readonly brief: string;
  readonly evidence: BriefEvidence[];
  readonly sources: BriefSource[];
}

/**
 * Formats claims as text. Each section with claims has a heading and one line per claim. A line ends with its
 * citations.
 */
export function briefText(claims: readonly Claim[], evidence: readonly BriefEvidence[]): BriefText {
  const used = new Set(claims.flatMap(({ cites }) => cites));
  const cited = evidence.filter(({ id }) => used.has(id));
  const headlines = cited.filter(({ kind }) => kind === "headline");
  const markOf = (id: string): string => {
    const place = headlines.findIndex((headline) => headline.id === id);
    return place < 0 ? `[${id}]` : `[${place + 1}]`;
  };
  const blocks = sectionNames.flatMap((name) => {
    const own = claims.filter(({ section }) => section === name);
    const written = own.map(({ text, cites }) => `${text} ${[...new Set(cites)].map(markOf).join("")}`);
    return own.length === 0 ? [] : [[sections[name].heading, ...written].join("\n")];
  });
  return {
    brief: blocks.join("\n\n"),
    evidence: cited,
    sources: headlines.map(({ label, value, url, asOf }) => ({
      title: value,
      source: label,
      url,
      publishedAt: asOf,
    })),
  };
}
