/**
 * The categories of every digest variant, in the order in which answers list them. Some categories are broader than
 * their names suggest: `politics` covers world affairs, and `us` the United States and Canada. `asia` includes Oceania,
 * and `latam` the Caribbean. The categories `markets` and `finance` of the variant `commodity` cover the general
 * financial markets.
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

/** Tests whether the digest has a variant of this name. */
export function isDigestVariant(name: string): name is DigestVariant {
  return Object.hasOwn(digestVariants, name);
}
