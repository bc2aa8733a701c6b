import { formatField, lacksFormats } from "./answer-format.js";
import { asOfField, lacksPast } from "./as-of.js";
import { explainField, lacksExplanation, onlyListsAreExplained } from "./explanation.js";
import type { AnyOperation } from "./operation.js";
import type { QueryField, QueryOf } from "./query-field.js";
import { signatureField } from "./signature.js";
import { lacksChanges, sinceGenerationField } from "./since-generation.js";

/**
 * A query parameter that operations have in common. The frame, which is the code around the operations, reads it; the
 * operations do not.
 */
interface FrameParameter {
  readonly field: QueryField<never> | QueryField<unknown>;
  /** The reason why an operation refuses it; undefined if the operation takes it. */
  readonly lacking: (operation: AnyOperation) => string | undefined;
  /** The reason why account reads refuse it; undefined if they take it. */
  readonly lackingForAccounts: string | undefined;
  /** True if linked feeds (`linked-feed.ts`) take it. */
  readonly isForFeeds?: true;
  /**
   * A value that makes no difference to the answer. Calls that refuse every other value of the parameter accept this
   * one.
   */
  readonly neutral?: string;
}

const accountsHaveNoPast = "is not available here: account data is always read as it is now";

const declared = {
  asOf: {
    field: asOfField,
    lacking: lacksPast,
    lackingForAccounts: accountsHaveNoPast,
  },
  explain: {
    field: explainField,
    lacking: lacksExplanation,
    lackingForAccounts: onlyListsAreExplained,
  },
  sinceGeneration: {
    field: sinceGenerationField,
    lacking: lacksChanges,
    lackingForAccounts: accountsHaveNoPast,
  },
  format: {
    field: formatField,
    lacking: lacksFormats,
    lackingForAccounts: "must be json here: account data is served only as JSON",
    isForFeeds: true,
    neutral: "json",
  },
  signature: { field: signatureField, lacking: () => undefined, lackingForAccounts: undefined },
} as const satisfies Readonly<Record<string, FrameParameter>>;

type Declared = typeof declared;

/** The values of the frame's parameters. */
export type FrameValues = QueryOf<{ readonly [K in keyof Declared]: Declared[K]["field"] }>;

/** The frame's parameters by name; all are optional. `jmespath` is not among them. */
export const frameParameters: readonly (readonly [name: string, parameter: FrameParameter])[] =
  Object.entries(declared);

/** The parameters that an operation takes. */
export function frameParametersOf(operation: AnyOperation): typeof frameParameters {
  return frameParameters.filter(([, { lacking }]) => lacking(operation) === undefined);
}

/** The parameters that account reads take. */
export const frameParametersOfAccounts = frameParameters.filter(
  ([, { lackingForAccounts }]) => lackingForAccounts === undefined,
);

/** The parameters that linked feeds take. */
export const frameParametersOfFeeds = frameParameters.filter(([, { isForFeeds }]) => isForFeeds);

/**
 * Returns the fields for one kind of call. If `lacking` returns a reason for a field, the field accepts only its
 * neutral value, and refuses any other value with that reason.
 */
export function frameFields(
  lacking: (parameter: FrameParameter) => string | undefined,
): readonly (readonly [name: string, field: QueryField<unknown>])[] {
  return frameParameters.map(([name, parameter]) => {
    // The cast drops the types of the values; `FrameValues` restores them.
    const field = parameter.field as QueryField<unknown>;
    const violation = lacking(parameter);
    return [name, violation === undefined ? field : refusing(field, violation, parameter.neutral)];
  });
}

function refusing(field: QueryField<unknown>, violation: string, neutral: string | undefined): QueryField<unknown> {
  const isAccepted = (texts: readonly string[]): boolean => texts.every((text) => text === neutral);
  return { ...field, decode: (texts, now) => (isAccepted(texts) ? field.decode(texts, now) : { violation }) };
}
