import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Answer, type CallName, type DataOf, type ParamsOf, UnauthorizedError } from "../../src/sdk/index.js";
import type { AnyParams } from "../../src/sdk/params.js";
import { factsOf } from "../../src/sdk/request.js";
import { vigil } from "../client.js";
import { onDatasetChange } from "../live.js";
import { useAt } from "../location.js";
import { checkSession, session } from "../session.js";
import { useStore } from "../store.js";
import { everyVisible } from "../visible.js";
import { wholeList } from "./whole-list.js";

/** A call of the service. `CallMenu` shows how other programs make the same call. */
export interface Call {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * The state of a call on a page. `failed` has no answer to show. A `ready` read keeps its answer while it is repeated;
 * if the repetition fails, `failure` says why the answer is not newer.
 */
export type Read<Data> = {
  readonly call: Call;
  readonly again: () => void;
  /** True if the page repeats the call by itself, for example when the connection to the service is back. */
  readonly isRepeated: boolean;
} & (
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly failure: unknown }
  | { readonly kind: "ready"; readonly answer: Answer<Data>; readonly isReading: boolean; readonly failure?: unknown }
);

export interface ReadOptions {
  /** False for a call without history, which always returns current data. Default true. */
  readonly hasPast?: boolean;
  /** False to wait, for instance for an input. Default true. */
  readonly isWanted?: boolean;
  /** False to ignore dataset changes, for calls that count against a quota. Default true. */
  readonly isLive?: boolean;
  /** True to repeat the call when any dataset changes. Default: only when a dataset behind the answer changes. */
  readonly isAboutAll?: boolean;
  /** Interval at which the call is repeated, for answers that change even if no dataset does. */
  readonly everyMs?: number;
  /** True to read the following pages of a list as well, up to ten. Default false. */
  readonly allPages?: boolean;
}

/** The result of the last call, with the key of that call. */
interface Outcome<Data> {
  readonly key: string;
  readonly answer?: Answer<Data> | undefined;
  readonly failure?: unknown;
  readonly isReading: boolean;
}

/** Changes come in bursts; one read follows the last change of a burst. */
const SETTLE_MS = 400;

/**
 * Reads data from the API as of the instant that the page shows. Repeats a read of current data when a dataset behind
 * the answer changes.
 */
export function useRead<N extends CallName>(
  name: N,
  params: ParamsOf<N>,
  { hasPast = true, isWanted = true, isLive = true, isAboutAll = false, everyMs, allPages = false }: ReadOptions = {},
): Read<DataOf<N>> {
  const at = useAt();
  const who = useStore(session).kind;
  const sent: Readonly<Record<string, unknown>> = {
    ...defined(params),
    ...(hasPast && at !== undefined && { asOf: at }),
  };
  const key = JSON.stringify([name, sent, who]);
  const [outcome, setOutcome] = useState<Outcome<DataOf<N>>>({ key, isReading: true });
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((last) => last + 1), []);
  const latest = useRef(outcome);
  latest.current = outcome;

  useEffect(() => {
    if (!isWanted) return;
    const stop = new AbortController();
    setOutcome((last) => (last.key === key ? { ...last, isReading: true } : { key, isReading: true }));
    const sending = allPages ? pagesOf(name, sent, stop.signal) : vigil.callByName(name, sent, { signal: stop.signal });
    sending.then(
      (answer) => setOutcome({ key, answer: answer as Answer<DataOf<N>>, isReading: false }),
      (failure: unknown) => {
        if (stop.signal.aborted) return;
        if (failure instanceof UnauthorizedError) void checkSession();
        setOutcome((last) => ({ key, answer: last.key === key ? last.answer : undefined, failure, isReading: false }));
      },
    );
    return () => stop.abort();
  }, [key, round, isWanted, allPages]);

  const followsChanges = isWanted && isLive && (at === undefined || !hasPast);
  useEffect(() => {
    if (!followsChanges) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onDatasetChange((dataset) => {
      const generation = isAboutAll ? undefined : latest.current.answer?.generation;
      if (dataset !== "*" && generation !== undefined && !Object.hasOwn(generation, dataset)) return;
      clearTimeout(timer);
      timer = setTimeout(again, SETTLE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [followsChanges, isAboutAll, again]);

  useEffect(() => {
    if (everyMs === undefined || !isWanted) return;
    return everyVisible(everyMs, again);
  }, [everyMs, isWanted, again]);

  const isRepeated = followsChanges || (isWanted && everyMs !== undefined);
  return { call: { name, params: sent }, again, isRepeated, ...stageOf(outcome, key) };
}

/** All pages of a list as one answer. */
function pagesOf(name: CallName, params: AnyParams, signal: AbortSignal): Promise<Answer<unknown>> {
  const { rows } = factsOf(name);
  if (rows === undefined) throw new TypeError(`${name} has no pages`);
  return wholeList(rows, (cursor) => vigil.callByName(name, { ...params, ...cursor }, { signal }));
}

/** The stage of a read; `loading` while the call has neither an answer nor a failure. */
function stageOf<Data>(outcome: Outcome<Data>, key: string) {
  const { answer, failure, isReading } = outcome;
  if (outcome.key !== key) return { kind: "loading" } as const;
  if (answer !== undefined) return { kind: "ready", answer, isReading, failure } as const;
  if (failure !== undefined) return { kind: "failed", failure } as const;
  return { kind: "loading" } as const;
}

function defined(params: object | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(params ?? {}).filter(([, value]) => value !== undefined && value !== ""));
}
