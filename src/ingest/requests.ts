import type { AnySource, AnyStep, StepRequest } from "../contract/source.js";

/** A planned request, the step that builds it, and the step's context, which holds the parameters of the request. */
export interface PlannedRequest extends StepRequest {
  readonly step: AnyStep;
  readonly context: unknown;
}

/** Builds the request of a step from its context. */
export function planned(step: AnyStep, context: unknown): PlannedRequest {
  return { ...step.request(context), step, context };
}

/** Returns a source's first requests, in the order of its steps. */
export function firstRequests(source: AnySource, plan: unknown): readonly PlannedRequest[] {
  return Object.values(source.steps).flatMap((step) =>
    (step.ask ? step.ask(plan) : [plan]).map((context) => planned(step, context)),
  );
}

/** Returns the requests that replace a failed request; undefined if the request has no replacement. */
export function insteadOf(
  { step, context }: PlannedRequest,
  failure: Parameters<NonNullable<AnyStep["instead"]>>[0],
): readonly PlannedRequest[] | undefined {
  return step.instead?.(failure, context)?.map((other) => planned(step, other));
}

/** Returns the name of a step within its source. */
export function stepName(source: AnySource, step: AnyStep): string {
  return Object.entries(source.steps).find(([, candidate]) => candidate === step)?.[0] ?? "";
}
