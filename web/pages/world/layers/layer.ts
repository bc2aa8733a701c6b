import type { Answer, CallName, DataOf, ParamsOf } from "../../../../src/sdk/index.js";
import type { Shape } from "../map/shapes.js";
import type { ThingForm } from "../thing.js";

/** What the page asks of its layers. */
export interface Filter {
  /** ISO 3166-1 alpha-2, or empty. */
  readonly country: string;
  /** The box for aircraft: south, west, north, east; empty until it is asked for. */
  readonly box: readonly number[];
}

/** A kind of things on the map, which come from one call. */
export interface Layer {
  readonly id: string;
  readonly name: string;
  /** Which time or selection its call answers for. */
  readonly extent: string;
  /** What a larger mark means. */
  readonly sizes: string;
  readonly shape: Shape;
  /** The place of its colour among those of series. */
  readonly tone: 1 | 2 | 3 | 4 | 5 | 6;
  readonly call: CallName;
  readonly dataset?: string;
  /** False for a call that always answers for now. */
  readonly hasPast: boolean;
  /** True for a layer that is read only when somebody asks. */
  readonly isOnDemand: boolean;
  params(filter: Filter): Readonly<Record<string, unknown>>;
  rows(data: unknown): readonly object[];
  thing(row: object): ThingForm;
  /** Number of rows at the service, of which some may not have been read. */
  total(data: unknown): number | undefined;
  /** Why an answer without rows does not mean that there are none. */
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

/** A layer by the types of its call; the page treats all layers alike. */
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

/** The facts whose values are known. */
export function known(...facts: readonly (readonly [string, string | undefined])[]): (readonly [string, string])[] {
  return facts.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const]));
}
