/** Descriptions of the score terms. They repeat the numbers with which the service computes the scores. */
export const IMPORTANCE_TERMS: Readonly<Record<string, string>> = {
  severity: "Level of the story; critical: 100, high: 75, medium: 50, low: 25, info: 0",
  tier: "Publisher of tier 1: 100, tier 2: 75, tier 3: 50, tier 4: 25",
  corroboration:
    "20 for each source, up to 5 sources; sources are the publisher families of the story or the publishers whose " +
    "headlines share two of its names, whichever are more",
  recency: "100 for an item published now, falling to 0 at an age of 24 hours",
  rounding: "Rounding of the sum of the terms above",
  diplomacy: "1 if the headline is about diplomacy or a flashpoint",
  entities: "Publishers with headlines of the last day that share two names with this one, at most 5",
};

export const CREDIBILITY_TERMS: Readonly<Record<string, string>> = {
  tier: "Publisher of tier 1: 100, tier 2: 75, tier 3: 50, tier 4: 25",
  risk: "Publisher with low risk: 100, medium: 50, unknown: 35, high: 12",
  corroboration: "20 for each publisher family with the same story, up to 5",
  rounding: "Rounding of the sum",
  cap: "The credibility of a high-risk publisher is at most 40",
};
