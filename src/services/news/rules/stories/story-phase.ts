import type { StoryPhase } from "../../digest-records.js";

const BREAKING_MENTIONS = 1;
const [DEVELOPING_MENTIONS, DEVELOPING_MS] = [5, 2 * 3_600_000];

/**
 * Where a story stands. `currentCount` are its mentions published within the last day, `peakCount` the most that ever
 * were: a story fades once it is written about less than half as much as at its height.
 */
export function storyPhase(given: {
  readonly mentionCount: number;
  /** Since its first mention. */
  readonly ageMs: number;
  readonly currentCount: number;
  readonly peakCount: number;
}): StoryPhase {
  if (given.mentionCount <= BREAKING_MENTIONS) return "STORY_PHASE_BREAKING";
  if (given.mentionCount <= DEVELOPING_MENTIONS && given.ageMs <= DEVELOPING_MS) return "STORY_PHASE_DEVELOPING";
  return given.currentCount < given.peakCount / 2 ? "STORY_PHASE_FADING" : "STORY_PHASE_SUSTAINED";
}
