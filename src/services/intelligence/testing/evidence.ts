import type { BriefEvidence, EvidenceKind } from "../records.js";

/** Makes an item of evidence for tests. */
export function item(
  id: string,
  kind: EvidenceKind,
  factText: string,
  { label = kind, value = "", asOf = "2026-11-18T00:00:00.000Z" }: Partial<BriefEvidence> = {},
): BriefEvidence {
  return { id, kind, label, value, factText, asOf, url: "https://source.example/" };
}

/** Makes a headline as evidence. */
export function headline(id: string, title: string, source = "Example Times"): BriefEvidence {
  return {
    ...item(id, "headline", `"${title}" (${source}, 18 November 2026).`, { label: source, value: title }),
    asOf: "2026-11-18T09:00:00.000Z",
  };
}
