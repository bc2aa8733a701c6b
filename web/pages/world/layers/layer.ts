import type { Answer, CallName, DataOf, ParamsOf } from "../../../../src/sdk/index.js";
import type { Shape } from "../map/shapes.js";
import type { ThingForm } from "../thing.js";

/** The page's selection, which layers pass to their calls. */
export interface Filter {
  /** ISO 3166-1 alpha-2, or empty. */
  readonly country: string;
  /** The box for aircraft: south, west, north, east; empty until requested. */
  readonly box: readonly number[];
}

/** A kind of thing on the map. All its things come from one call. */
export interface Layer {
  readonly id: string;
  readonly name: string;
  /** The period or selection that the call covers, in words. */
  readonly extent: string;
  /** What the sizes of the marks mean, in words. */
  readonly sizes: string;
  readonly shape: Shape;
  /** Number of the colour, as for chart series. */
  readonly tone: 1 | 2 | 3 | 4 | 5 | 6;
  readonly call: CallName;
  readonly dataset?: string;
  /** False for a call that always returns current data. */
  readonly hasPast: boolean;
  /** True for a layer that is read only on request. */
  readonly isOnDemand: boolean;
  params(filter: Filter): Readonly<Record<string, unknown>>;
  rows(data: unknown): readonly object[];
  thing(row: object): ThingForm;
  /** Total number of rows at the service; some may not have been read. */
  total(data: unknown): number | undefined;
  /** Returns the reason why an answer may be empty although things exist; undefined if there is no such reason. */
  trouble(answer: Answer<unknown>): string | undefined;
}

interface LayerForm<N extends CallName, Row extends object>
  extends Pick<Layer, "id" | "name" | "extent" | "sizes" | "shape" | "tone" | "dataset"> {
  readonly call: N;
  readonly hasPast?: boolean;
  readonly isOnDemand?: boolean;
  params?(filter: Filter): ParamsOf<N>;
  rows(data: DataOf<N>): readonly Row[];
  thing(row: Row): ThingForm;
  trouble?(data: DataOf<N>): string | undefined;
}

/** A layer with the types of its call erased, so that the page treats all layers alike. */
export function layerOf<N extends CallName, Row extends object>(form: LayerForm<N, Row>): Layer {
  const { hasPast = true, isOnDemand = false } = form;
  return {
    ...form,
    hasPast,
    isOnDemand,
    params: (filter) => form.params?.(filter) ?? {},
    rows: (data) => form.rows(data as DataOf<N>),
    thing: (row) => form.thing(row as Row),
    total: (data) => (data as { readonly pagination?: { readonly totalCount?: number } }).pagination?.totalCount,
    trouble: ({ data, state }) =>
      state === "absent" || state === "unreadable" ? undefined : form.trouble?.(data as DataOf<N>),
  };
}

/** The facts that have a value. */
export function presentFacts(
  ...facts: readonly (readonly [string, string | undefined])[]
): (readonly [string, string])[] {
  return facts.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const]));
}
