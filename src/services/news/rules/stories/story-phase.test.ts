import { expect, test } from "vitest";
import { storyPhase } from "./story-phase.js";

const MINUTE = 60_000;

test.each([
  ["one mention", 1, 0, 1, 1, "BREAKING"],
  ["one mention, however old", 1, 5_000, 0, 1, "BREAKING"],
  ["two mentions at the same time", 2, 0, 2, 2, "DEVELOPING"],
  ["five mentions in two hours", 5, 120, 5, 5, "DEVELOPING"],
  ["six mentions in two hours", 6, 120, 6, 6, "SUSTAINED"],
  ["five mentions in more than two hours", 5, 121, 5, 5, "SUSTAINED"],
  ["current mentions at half of their peak", 20, 3_000, 5, 10, "SUSTAINED"],
  ["current mentions below half of their peak", 20, 3_000, 4, 10, "FADING"],
])("the phase of a story is $5: %s", (_, mentionCount, ageMinutes, currentCount, peakCount, phase) => {
  expect(storyPhase({ mentionCount, ageMs: ageMinutes * MINUTE, currentCount, peakCount })).toBe(
    `STORY_PHASE_${phase}`,
  );
});
