import { useMemo } from "preact/hooks";
import type { DataState } from "../../../src/sdk/index.js";
import { factsOf } from "../../../src/sdk/request.js";
import { useAt } from "../../location.js";
import { readFailureText } from "../../reads/failure-text.js";
import { type Read, useRead } from "../../reads/read.js";
import { thingsOf } from "./layer-things.js";
import type { Filter, Layer } from "./layers/layer.js";
import { LAYERS } from "./layers/layers.js";
import type { Thing } from "./thing.js";

/** A layer with its data. */
export interface LayerStage {
  readonly layer: Layer;
  readonly isOn: boolean;
  readonly read: Read<unknown>;
  /** Empty if the layer is off, and until its data has been read. */
  readonly things: readonly Thing[];
  readonly state: DataState | undefined;
  /** The reason why the map may lack things of this layer, as the end of a sentence; undefined if it lacks none. */
  readonly lack: string | undefined;
  /** Total number of rows at the service, if it is more than were read. */
  readonly total: number | undefined;
}

/**
 * Reads the layers that are on, at the instant shown. If this instant is in the past, also reads the current rows,
 * to mark changes.
 */
export function useLayers(on: ReadonlySet<string>, filter: Filter): readonly LayerStage[] {
  // The list of layers is fixed, so every rendering calls the same hooks in the same order.
  return LAYERS.map((layer) => useLayer(layer, on.has(layer.id), filter));
}

function useLayer(layer: Layer, isOn: boolean, filter: Filter): LayerStage {
  const at = useAt();
  const params = layer.params(filter);
  const isWanted = isOn && (!layer.isOnDemand || filter.box.length > 0);
  const isLive = !layer.isOnDemand;
  const hasNow = isWanted && at !== undefined && layer.hasPast;
  // The call named in the cast is arbitrary. Only the layer interprets the answer of its call.
  const call = layer.call as "get-us-cpi-monthly";
  const common = { isLive, allPages: factsOf(layer.call).rows !== undefined };
  const read: Read<unknown> = useRead(call, params, { ...common, isWanted, hasPast: layer.hasPast });
  const readNow: Read<unknown> = useRead(call, params, { ...common, isWanted: hasNow, hasPast: false });
  const data = isOn && read.kind === "ready" ? read.answer.data : undefined;
  const dataNow = hasNow && readNow.kind === "ready" ? readNow.answer.data : undefined;
  const things = useMemo(() => thingsOf(layer, data, dataNow), [layer, data, dataNow]);
  const total = data === undefined ? undefined : layer.total(data);
  const rows = data === undefined ? 0 : layer.rows(data).length;
  return {
    layer,
    isOn,
    read,
    things,
    state: isOn && read.kind === "ready" ? read.answer.state : undefined,
    lack: isWanted ? lackOf(layer, read, hasNow ? readNow : undefined) : undefined,
    total: total !== undefined && total > rows ? total : undefined,
  };
}

const LACKS: Readonly<Record<DataState, string | undefined>> = {
  ok: undefined,
  partial: "a source is missing or old.",
  stale: "the data is older than its limit.",
  absent: "no data is stored; that does not mean that nothing happened.",
  unreadable: "the stored data is broken; that does not mean that nothing happened.",
};

function lackOf(layer: Layer, read: Read<unknown>, readNow: Read<unknown> | undefined): string | undefined {
  if (read.kind === "loading") return undefined;
  if (read.kind === "failed") return `could not be read: ${readFailureText(read.failure, read)}`;
  const { answer, failure } = read;
  if (failure !== undefined)
    return `could not be read again, so it may be out of date: ${readFailureText(failure, read)}`;
  const trouble = layer.trouble(answer);
  if (trouble !== undefined) return trouble;
  if (readNow?.kind === "failed")
    return `changes since then could not be read: ${readFailureText(readNow.failure, readNow)}`;
  return answer.state === undefined ? undefined : LACKS[answer.state];
}
