import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import type { Observation } from "../../../contract/on-demand.js";
import { operation } from "../../../contract/operation.js";
import type { QueryField } from "../../../contract/query-field.js";
import { single } from "../../../contract/query-field.js";
import { textLike } from "../../../contract/value-fields.js";
import { modelSettings } from "../model-settings.js";
import { countryEvidence } from "../products/country-evidence.js";
import { BriefEvidence, BriefSource } from "../records.js";
import { briefText } from "../rules/brief-text.js";
import { evidenceOn, evidenceOnChangesAt } from "../rules/evidence/current-evidence.js";
import type { Subject } from "../rules/evidence/draft.js";
import { EXTRACTIVE_MODEL, extractiveClaims } from "../rules/extractive-writer.js";
import { grounded } from "../rules/grounding/grounding.js";
import { type BriefSnapshots, modelText, type WrittenText } from "../rules/model-text.js";
import { plainFramework } from "../rules/prompt.js";
import { subjectOf } from "../rules/subject.js";
import { briefQuota } from "../service.js";

const FRAMEWORK_CHARACTERS_MAX = 2_000;

const alpha2Code = textLike("ISO 3166-1 alpha-2 code in upper case", "^[A-Z]{2}$");

const countryCode: QueryField<string> = {
  ...alpha2Code,
  required: true,
  decode(values, now) {
    const decoded = alpha2Code.decode(values, now);
    if ("violation" in decoded || subjectOf(decoded.value)) return decoded;
    return { ...decoded, unknownCountry: decoded.value };
  },
};

const framework: QueryField<string> = {
  schema: Type.String({ maxLength: FRAMEWORK_CHARACTERS_MAX, default: "" }),
  description: "Emphasis for the model, at most 2,000 characters; treated as text, never as instructions",
  required: false,
  decode: single("", (text) => {
    const { length } = Array.from(text);
    if (length > FRAMEWORK_CHARACTERS_MAX) {
      return { violation: `must have at most ${FRAMEWORK_CHARACTERS_MAX} characters, got ${length}` };
    }
    return { value: plainFramework(text) };
  }),
  canonical: (value) => value || undefined,
};

const response = Type.Object(
  {
    brief: Type.String({
      description:
        "The text: sections, each with a heading and claims. A claim ends with its citations; `[n]` refers to `sources` and `[En]` to `evidence`",
    }),
    countryCode: Type.String({ description: "ISO 3166-1 alpha-2" }),
    countryName: Type.String({ description: "English short name; the code itself if no country has the code" }),
    generatedAt: epochMs(
      "Time at which the model wrote the text; without a model, time at which the evidence was collected; without a text, the time of the call",
    ),
    model: Type.String({ description: "Model that wrote the text; empty if there is no text" }),
    sources: Type.Array(BriefSource, { description: "The headlines that the text cites" }),
    evidence: Type.Array(BriefEvidence, { description: "The facts that the text cites" }),
    claimsWithheld: Type.Integer({
      format: "int32",
      minimum: 0,
      description:
        "Number of claims that were withheld because their form is not allowed or their evidence does not support them",
    }),
    degraded: Type.Boolean({ description: "True if there is no text" }),
  },
  { title: "GetCountryIntelBriefResponse" },
);

/** Serves a brief on a country. Every number and name in the text is also in the evidence that the text cites. */
export const getCountryIntelBrief = operation({
  rpc: "get-country-intel-brief",
  summary: "A brief about a country from the newest evidence, with citations",
  description:
    "Written from stored data and headlines. If a model is configured and a headline names the country, the model writes the text, which is reused for six hours. Otherwise, the text lists the evidence (`model: vigil-extractive/1`). A claim is withheld, and counted in `claimsWithheld`, if its form is not allowed or its evidence does not support it. `degraded` is true if there is no text. Each call counts against the daily quota.",
  cache: "static",
  tier: 1,
  dailyQuota: briefQuota,
  settings: modelSettings,
  reads: { facts: countryEvidence },
  // Every build attempt may change the answer: even without a new fact, a dataset may be confirmed or found missing.
  showsAttempts: true,
  fetches: { text: modelText },
  query: {
    countryCode,
    framework,
  },
  response,
  examples: [
    { country_code: "UA" },
    { country_code: "US", framework: "Emphasise prices and air travel" },
    { country_code: "UA", jmespath: "evidence[].[id, factText]" },
  ],
  validUntil: ({ countryCode }, { facts }, now) =>
    facts.available ? evidenceOnChangesAt(countryCode, facts, now) : Number.POSITIVE_INFINITY,
  run({ countryCode }, { facts }, { observations, now }) {
    const subject = subjectOf(countryCode);
    const about = { countryCode, countryName: subject?.name ?? countryCode };
    const text = subject && textOf(observations.text, () => extractiveText(subject, facts, now()));
    return text === undefined
      ? {
          ...about,
          brief: "",
          generatedAt: now(),
          model: "",
          sources: [],
          evidence: [],
          claimsWithheld: 0,
          degraded: true,
        }
      : { ...about, ...text, degraded: false };
  },
});

interface Text extends ReturnType<typeof briefText> {
  readonly generatedAt: number;
  readonly model: string;
  readonly claimsWithheld: number;
}

/**
 * Returns the model's text, or the text from the evidence alone if no model was called. Returns undefined if the model
 * failed, or if the evidence supports no claim.
 */
function textOf(observed: Observation<readonly [WrittenText]>, withoutModel: () => Text | undefined): Text | undefined {
  if (observed.state === "not-asked") return withoutModel();
  if (observed.state === "error" || observed.state === "miss") return undefined;
  const [{ claims, evidence, model, withheld }] = observed.data;
  return { ...briefText(claims, evidence), generatedAt: observed.fetchedAt, model, claimsWithheld: withheld };
}

function extractiveText(subject: Subject, facts: BriefSnapshots["facts"], now: number): Text | undefined {
  if (!facts.available) return undefined;
  const evidence = evidenceOn(subject.code, facts, now);
  const { claims, withheld } = grounded(extractiveClaims(subject.inText, evidence), {
    code: subject.code,
    evidence,
    headlinesLead: false,
  });
  if (claims.length === 0) return undefined;
  return {
    ...briefText(claims, evidence),
    generatedAt: facts.builtAt,
    model: EXTRACTIVE_MODEL,
    claimsWithheld: withheld,
  };
}
