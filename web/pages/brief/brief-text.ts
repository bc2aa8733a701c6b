import type { BriefEvidence, BriefSource, GetCountryIntelBriefResponse } from "../../../src/sdk/index.js";

/** An item that a claim cites. */
export type Citation =
  | { readonly kind: "evidence"; readonly id: string; readonly item: BriefEvidence }
  | { readonly kind: "headline"; readonly id: string; readonly item: BriefSource }
  /** The answer has no item with this id. */
  | { readonly kind: "missing"; readonly id: string };

export interface Claim {
  readonly text: string;
  readonly citations: readonly Citation[];
}

export interface Section {
  readonly heading: string;
  readonly claims: readonly Claim[];
}

/** A citation at the end of a text. Only the last `CITATION_CHARACTERS_MAX` characters are searched. */
const CITATION = /\[(E?\d{1,5})\]$/;
const CITATION_CHARACTERS_MAX = 8;

/**
 * The sections of a brief with the items that each claim cites. An empty line separates sections. The first line of a
 * section is its heading; each further line is a claim that ends with its citations.
 */
export function sectionsOf(brief: Pick<GetCountryIntelBriefResponse, "brief" | "evidence" | "sources">): Section[] {
  if (brief.brief === "") return [];
  return brief.brief.split(/\n{2,}/).map((block) => {
    const [heading = "", ...lines] = block.split("\n").filter((line) => line !== "");
    return { heading, claims: lines.map((line) => claimOf(line, brief)) };
  });
}

function claimOf(line: string, brief: Pick<GetCountryIntelBriefResponse, "evidence" | "sources">): Claim {
  const ids: string[] = [];
  let text = line;
  for (;;) {
    const [citation = "", id = ""] = CITATION.exec(text.trimEnd().slice(-CITATION_CHARACTERS_MAX)) ?? [];
    if (citation === "") break;
    ids.unshift(id);
    text = text.trimEnd().slice(0, -citation.length);
  }
  // A line without citations stays as it is. In other lines, the space before the citations is dropped.
  return {
    text: ids.length === 0 ? line : text.trimEnd(),
    citations: ids.map((id) => citationOf(id, brief)),
  };
}

function citationOf(
  id: string,
  { evidence, sources }: Pick<GetCountryIntelBriefResponse, "evidence" | "sources">,
): Citation {
  if (id.startsWith("E")) {
    const fact = evidence.find((each) => each.id === id);
    return fact ? { kind: "evidence", id, item: fact } : { kind: "missing", id };
  }
  const headline = sources[Number(id) - 1];
  return headline ? { kind: "headline", id, item: headline } : { kind: "missing", id };
}
