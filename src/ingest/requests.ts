import type { AnySource, AnyStep, StepRequest } from "../contract/source.js";

/** A request on its way, with its step and the context that travels with it. */
export interface PlannedRequest extends StepRequest {
  readonly step: AnyStep;
  readonly context: unknown;
}

/** The request of a step about a context. */
export function planned(step: AnyStep, context: unknown): PlannedRequest {
  return { ...step.request(context), step, context };
}

/** The requests with which a source begins, by its steps. */
export function firstRequests(source: AnySource, plan: unknown): readonly PlannedRequest[] {
  return Object.values(source.steps).flatMap((step) =>
    (step.ask ? step.ask(plan) : [plan]).map((context) => planned(step, context)),
  );
}

/** Returns the replacements of a failed request; undefined if the failure stands. */
export function insteadOf(
  { step, context }: PlannedRequest,
  failure: Parameters<NonNullable<AnyStep["instead"]>>[0],
): readonly PlannedRequest[] | undefined {
  return step.instead?.(failure, context)?.map((other) => planned(step, other));
}

/** The name of a step in its source. */
export function stepName(source: AnySource, step: AnyStep): string {
  return Object.entries(source.steps).find(([, candidate]) => candidate === step)?.[0] ?? "";
}
