import { MINUTE_MS } from "../../../../kit/clock.js";
import { oneOf, readCsv, textCell } from "../../../../kit/csv-table.js";
import { ownFile } from "../../../../kit/own-file.js";
import { eventCategories } from "../../admission/event-class.js";
import type { Finding } from "../../scan/finding.js";

const stories = readCsv(ownFile("data/demo-stories.csv"), {
  category: oneOf(eventCategories),
  report: textCell,
  confirmation: textCell,
  correction: textCell,
});

/**
 * Number of steps of a story. The steps are a report; its confirmation, with a copy of the report; a correction; and a
 * retraction or one more source.
 */
export const STORY_STEPS = 4;
const EXCERPT = "A fictional story for the demo.";
const [WIRE, DAILY, PORTAL, RADIO] = ["Simulated Wire", "Simulated Daily", "Simulated Portal", "Simulated Radio"];

const [GAP_FIRST_STEP, GAP_EVERY_STEPS] = [6, 20];
/** Duration of a search failure. */
export const GAP_MS = 2 * MINUTE_MS;

/**
 * True for a step at which the web search starts to fail for the company that no story is about (`registeredCompany` in
 * `scripted-writer.ts`).
 */
export function beginsGap(step: number): boolean {
  return step % GAP_EVERY_STEPS === GAP_FIRST_STEP;
}

/** Returns the number of steps of the script, in which each company has each story once. */
export function stepCountOf(companyCount: number): number {
  return companyCount * stories.length * STORY_STEPS;
}

/** One step of the script: the position of its company in the list of companies, and the findings on the company. */
export interface ScriptedStep {
  readonly company: number;
  readonly findings: readonly Finding[];
}

/** Returns a step of the script. Successive stories are about successive companies. */
export function scriptedStep(step: number, names: readonly string[], now: number): ScriptedStep {
  const [number, stage] = [Math.floor(step / STORY_STEPS), step % STORY_STEPS];
  const company = number % names.length;
  // Companies take turns, and each starts with a different story.
  const story = stories[(Math.floor(number / names.length) + company) % stories.length];
  if (!story) throw new Error("the demo has no stories");
  const finding = (publisher: string, title: string, source: number): Finding => ({
    provider: "MONITORING_PROVIDER_NEWS",
    sourceId: sourceOf(step, source),
    canonicalUrl: sourceOf(step, source),
    publisher,
    origin: publisher,
    authorityTier: "EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE",
    title: title.replace("{}", names[company] ?? ""),
    excerpt: EXCERPT,
    publishedAt: now - MINUTE_MS + stage,
    attribution: 0.97,
    matchedBy: "name in title",
  });
  switch (stage) {
    case 0:
      return { company, findings: [finding(WIRE, story.report, 0)] };
    case 1:
      return { company, findings: [finding(DAILY, story.confirmation, 0), finding(PORTAL, story.report, 1)] };
    case 2:
      return { company, findings: [finding(WIRE, `Correction: ${story.correction}`, 0)] };
    default:
      return {
        company,
        findings:
          number % 2 === 0
            ? [finding(WIRE, `Retraction: ${story.report}`, 0), finding(DAILY, `Retraction: ${story.confirmation}`, 1)]
            : [finding(RADIO, story.confirmation.replace("{}", "{} company"), 0)],
      };
  }
}

/**
 * Returns the id of a finding of a step; by default, of the first finding. If the first finding is stored, the step has
 * been played.
 */
export function sourceOf(step: number, source = 0): string {
  return `https://news.example/demo/${step}/${source}`;
}
