/** The kinds of events of a company. */
export const eventCategories = [
  "accident",
  "bankruptcy",
  "contract",
  "cyber",
  "delisting",
  "financing",
  "labour",
  "legal",
  "management",
  "ownership",
  "product",
  "recall",
  "regulatory",
  "restatement",
  "results",
  "sanctions",
  "supply",
] as const;
export type EventCategory = (typeof eventCategories)[number];

export const eventDirections = ["positive", "negative", "mixed"] as const;
export type EventDirection = (typeof eventDirections)[number];

/** The event that a title, a filing or a sanctions entry reports; the category is `none` if nothing material happened. */
export interface EventClass {
  readonly category: EventCategory | "none";
  readonly direction: EventDirection;
  /** Strength of the signs: 0 if there are none, about 1 for one strong phrase, at most 3. */
  readonly strength: number;
  /**
   * The phrases of the title that decided the class, or the item or form of a filing, such as `item 1.03`, or `an entry
   * of a sanctions list`.
   */
  readonly signs: readonly string[];
}

export const nothing: EventClass = { category: "none", direction: "mixed", strength: 0, signs: [] };
