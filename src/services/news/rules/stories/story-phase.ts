import type { StoryPhase } from "../../digest-records.js";

const BREAKING_MENTIONS = 1;
const [DEVELOPING_MENTIONS, DEVELOPING_MS] = [5, 2 * 3_600_000];

/**
 * Returns the phase of a story. `currentCount` counts its mentions of the last day, and `peakCount` is the largest
 * `currentCount` so far. A story is fading once its mentions of the last day are fewer than half of the peak.
 */
export function storyPhase(story: {
  readonly mentionCount: number;
  /** Time since the first mention. */
  readonly ageMs: number;
  readonly currentCount: number;
  readonly peakCount: number;
}): StoryPhase {
  if (story.mentionCount <= BREAKING_MENTIONS) return "STORY_PHASE_BREAKING";
  if (story.mentionCount <= DEVELOPING_MENTIONS && story.ageMs <= DEVELOPING_MS) return "STORY_PHASE_DEVELOPING";
  return story.currentCount < story.peakCount / 2 ? "STORY_PHASE_FADING" : "STORY_PHASE_SUSTAINED";
}
