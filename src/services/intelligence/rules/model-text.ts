import { createHash } from "node:crypto";
import type { OnDemandReadFrom, PlanningContext } from "../../../contract/on-demand.js";
import type { Snapshot } from "../../../contract/snapshot.js";
import { SourceFailure } from "../../../contract/source.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { modelKind, modelName, modelTimeoutMs, modelTokensMax, modelUrl } from "../model-settings.js";
import type { BriefEvidence } from "../records.js";
import { chatModel, type ModelClaim, type ModelQuestion } from "../sources/chat-model.js";
import { evidenceOn } from "./evidence/current-evidence.js";
import type { CountryFacts, Subject } from "./evidence/draft.js";
import { type Claim, grounded } from "./grounding/grounding.js";
import { plainFramework, promptOf } from "./prompt.js";
import { subjectOf } from "./subject.js";

export interface BriefQuery {
  readonly countryCode: string;
  readonly framework: string;
}

interface TextPlan extends ModelQuestion {
  readonly subject: Subject;
  readonly evidence: readonly BriefEvidence[];
  readonly framework: string;
  /**
   * Calendar year of the newest yearly figures. It is part of the key of the stored text, so that figures of a new year
   * lead to a new text.
   */
  readonly dataYear: number;
}

/**
 * A model's text, stored with the evidence from which it was written, so that its citations stay valid after snapshots
 * change.
 */
export interface WrittenText {
  readonly model: string;
  readonly claims: readonly Claim[];
  readonly withheld: number;
  readonly evidence: readonly BriefEvidence[];
}

/** The snapshots that a brief is written from. */
export type BriefSnapshots = { readonly facts: Snapshot<CountryFacts> };

/** Reads a model's text on demand. The model is called only if it is configured and there is at least one headline. */
export const modelText: OnDemandReadFrom<BriefQuery, BriefSnapshots, TextPlan, ModelClaim, WrittenText> = {
  name: "country brief",
  source: chatModel,
  ttlMs: 6 * HOUR_MS,
  missTtlMs: MINUTE_MS,
  errorTtlMs: MINUTE_MS,
  asksTwice: true,
  timeLimitMs: Number(modelTimeoutMs.default),
  timeLimitOf: (settingOf) => settingOf(modelTimeoutMs),
  planFrom,
  keyOf: ({ subject, framework, dataYear }) => [subject.code, hashOf(framework), dataYear],
  keep,
};

function planFrom(
  { countryCode, framework }: BriefQuery,
  { snapshots: { facts }, now, settingOf }: PlanningContext<BriefSnapshots>,
): TextPlan | undefined {
  const url = settingOf(modelUrl);
  const subject = subjectOf(countryCode);
  if (url === undefined || subject === undefined || !facts.available) return undefined;
  const evidence = evidenceOn(countryCode, facts, now);
  if (!hasHeadline(evidence)) return undefined;
  const wish = plainFramework(framework);
  return {
    url,
    subject,
    evidence,
    framework: wish,
    model: settingOf(modelName),
    kind: settingOf(modelKind),
    prompt: promptOf({ subject, evidence, framework: wish }),
    tokensMax: settingOf(modelTokensMax),
    timeoutMs: settingOf(modelTimeoutMs),
    dataYear: dataYearOf(evidence),
  };
}

/** Returns the calendar year of the yearly figures; 0 if there are none. */
function dataYearOf(evidence: readonly BriefEvidence[]): number {
  const yearly = evidence.find(({ kind }) => kind === "displacement");
  return yearly ? new Date(yearly.asOf).getUTCFullYear() : 0;
}

function hasHeadline(evidence: readonly BriefEvidence[]): boolean {
  return evidence.some(({ kind }) => kind === "headline");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Keeps the supported claims. Throws if no situation claim remains, so that the text is requested again soon. */
function keep({ subject, evidence, model }: TextPlan, claims: readonly ModelClaim[]): WrittenText {
  const { claims: kept, withheld } = grounded(claims, {
    code: subject.code,
    evidence,
    headlinesLead: hasHeadline(evidence),
  });
  if (!kept.some(({ section }) => section === "situation")) {
    throw new SourceFailure(
      "empty",
      `the model's text on ${subject.code} has no situation claim that its evidence supports`,
    );
  }
  const written = kept.map(({ section, text, cites }) => ({ section, text, cites }));
  return { model: claims[0]?.model || model, claims: written, withheld, evidence };
}
