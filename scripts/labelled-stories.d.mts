export interface LabelledStory {
  readonly id: string;
  readonly title: string;
  readonly publisher: string;
  readonly language: string;
  /** Epoch ms. */
  readonly publishedAt: number;
  readonly story: string;
  readonly group: string;
}

export function labelledStories(side: "tuning" | "held-out"): readonly LabelledStory[];

export function pairScores(
  rows: readonly LabelledStory[],
  clusters: readonly number[],
): { readonly precision: number; readonly recall: number; readonly f1: number };
