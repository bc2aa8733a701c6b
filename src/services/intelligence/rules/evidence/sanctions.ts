import { counted } from "../../../../kit/counted.js";
import { day } from "../phrases.js";
import type { EvidenceDraft, Subject } from "./draft.js";
import { type EvidenceIngredients, usable } from "./ingredients.js";

interface ListWords {
  /** The beginning of the text of a fact. */
  readonly name: string;
  /** The name of the list in the label of a fact. */
  readonly label: string;
  /** The words between the number of entries and the country in the text of a fact. */
  readonly relation: string;
  /** The words before the list's own date in the text of a fact. */
  readonly dated: string;
  readonly url: string;
}

const ofac = {
  relation: "with a nationality or address in",
  dated: "dated",
  url: "https://sanctionslist.ofac.treas.gov/Home",
} as const;

/** The sanctions lists, in the order of their facts. */
const lists = {
  sdn: { ...ofac, name: "The OFAC SDN", label: "OFAC SDN" },
  consolidated: { ...ofac, name: "The OFAC Consolidated", label: "OFAC Consolidated" },
  sema: {
    name: "Canada's SEMA",
    label: "Canada (SEMA)",
    relation: "under its measures on",
    dated: "newest listing",
    url: "https://www.international.gc.ca/world-monde/international_relations-relations_internationales/sanctions/consolidated-consolide.aspx?lang=eng",
  },
  un: {
    name: "The UN Security Council",
    label: "UN Security Council",
    relation: "with a nationality or address in",
    dated: "dated",
    url: "https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list",
  },
} as const satisfies Readonly<Record<string, ListWords>>;

/**
 * States how many entries of each sanctions list concern the country. A list without such entries is left out: "0
 * entries" would suggest that the country is not sanctioned, which the count cannot show.
 */
export function sanctionsEvidence(
  { code, inText }: Subject,
  { sanctions }: EvidenceIngredients,
): readonly EvidenceDraft[] {
  const snapshot = usable(sanctions);
  if (!snapshot) return [];
  // The cast is needed because `Object.entries` returns keys of type string.
  return (Object.entries(lists) as [keyof typeof lists, ListWords][]).flatMap(([key, words]): EvidenceDraft[] => {
    const { publishedAt, entriesByCountry } = snapshot.view.lists[key];
    const entryCount = entriesByCountry.get(code) ?? 0;
    const readAt = snapshot.parts[key]?.confirmedAt ?? null;
    if (entryCount === 0 || readAt === null) return [];
    const entries = counted(entryCount, "entry", "entries");
    const dates = `read on ${day(readAt)}${publishedAt === undefined ? "" : ` (${words.dated} ${day(publishedAt)})`}`;
    return [
      {
        kind: "sanctions",
        label: `Sanctions list, ${words.label}`,
        value: entries,
        factText: `${words.name} list, ${dates}, has ${entries} ${words.relation} ${inText}.`,
        at: readAt,
        age: "sanctions",
        url: words.url,
      },
    ];
  });
}
