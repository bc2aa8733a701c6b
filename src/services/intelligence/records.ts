import { type Static, Type } from "typebox";

/** Kinds of evidence. Headlines are cited as `[n]`, other kinds as `[En]`. Clients ignore unknown kinds. */
export const evidenceKinds = [
  "conflict",
  "humanitarian",
  "displacement",
  "disaster",
  "climate",
  "air-quality",
  "internet",
  "aviation",
  "economic",
  "sanctions",
  "headline",
  "cii",
  "advisory",
  "resilience",
  "resilience-dimension",
  "energy",
  "chokepoint",
  "market",
  "forecast",
] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** A stated fact with its source. */
export const BriefEvidence = Type.Object(
  {
    id: Type.String({ description: "`E1`, `E2` and so on; only cited facts are listed" }),
    kind: Type.Enum([...evidenceKinds], { description: "Kind of fact; clients ignore kinds that they do not know" }),
    label: Type.String({ description: "Short name of the fact" }),
    value: Type.String({ description: "The number or name that the fact is about, with its unit" }),
    factText: Type.String({ description: "The fact as one plain sentence with units and dates" }),
    asOf: Type.String({ description: "Time of the fact, from which its age is measured; ISO 8601" }),
    url: Type.String({ description: "Page of the source" }),
  },
  { title: "BriefEvidence" },
);
export type BriefEvidence = Static<typeof BriefEvidence>;

/** A cited headline. */
export const BriefSource = Type.Object(
  {
    publishedAt: Type.String({ description: "ISO 8601" }),
    source: Type.String({ description: "Publisher, at most 80 characters" }),
    title: Type.String({ description: "At most 160 characters" }),
    url: Type.String({ description: "Address of the article" }),
  },
  { title: "BriefSource" },
);
export type BriefSource = Static<typeof BriefSource>;
