/**
 * The categories of every variant of the digest, in the order of the answer. Where a name says less than it covers:
 * `politics` is world affairs, `us` is the United States and Canada, `asia` reaches to Oceania, `latam` to the
 * Caribbean, `commodity` → `markets` and `finance` are the general markets that commodities move in.
 */
export const digestVariants = {
  full: [
    "politics",
    "us",
    "europe",
    "middleeast",
    "tech",
    "ai",
    "finance",
    "commodities",
    "gov",
    "africa",
    "latam",
    "asia",
    "energy",
    "thinktanks",
    "crisis",
    "layoffs",
    "intel",
  ],
  tech: [
    "tech",
    "ai",
    "startups",
    "vcblogs",
    "regionalStartups",
    "unicorns",
    "accelerators",
    "security",
    "policy",
    "github",
    "funding",
    "cloud",
    "layoffs",
    "finance",
    "dev",
    "ipo",
    "producthunt",
    "hardware",
    "outages",
  ],
  finance: [
    "markets",
    "forex",
    "bonds",
    "commodities",
    "crypto",
    "centralbanks",
    "economic",
    "ipo",
    "derivatives",
    "fintech",
    "fin-regulation",
    "institutional",
    "analysis",
    "gccNews",
  ],
  commodity: [
    "commodity-news",
    "gold-silver",
    "energy",
    "mining-news",
    "critical-minerals",
    "base-metals",
    "mining-companies",
    "supply-chain",
    "commodity-regulation",
    "markets",
    "finance",
  ],
  happy: ["positive", "science", "nature", "inspiring", "community"],
} as const satisfies Record<string, readonly string[]>;

export type DigestVariant = keyof typeof digestVariants;

/** Whether the digest has a variant of this name. */
export function isDigestVariant(name: string): name is DigestVariant {
  return Object.hasOwn(digestVariants, name);
}
