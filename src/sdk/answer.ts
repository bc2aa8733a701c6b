/**
 * The state of the data behind an answer. `ok`: complete and fresh; `partial`: a part is missing or old; `stale`: older
 * than its limit; `absent`: no data is stored; `unreadable`: stored but broken. An empty list means "nothing matches"
 * only with `ok`.
 */
export type DataState = "ok" | "partial" | "stale" | "absent" | "unreadable";

/** The generation of each dataset behind an answer, by name. */
export type Generation = Readonly<Record<string, number>>;

/** The metadata of an answer, which shows whether its data is complete and current. */
export interface Meaning {
  /** Undefined for an answer without datasets: from an account operation, a write or a platform path. */
  readonly state: DataState | undefined;
  /** Empty for an answer without datasets. */
  readonly generation: Generation;
  /** Time at which the content was produced. */
  readonly lastModified: Date | undefined;
  readonly etag: string | undefined;
  /** Parts of the query that the service ignored. */
  readonly notice: string | undefined;
  /** True if the service is a demo with invented data. */
  readonly simulated: boolean;
}

/** An answer with its metadata. */
export interface Answer<Data> extends Meaning {
  readonly data: Data;
  readonly status: number;
  /** The id of the call in the log of the service. */
  readonly requestId: string | undefined;
  /** True if the call repeated an earlier write, and this is the answer to that write. */
  readonly isReplay: boolean;
  /** True if the service confirmed (304) that the cached data is current. */
  readonly isFromCache: boolean;
  readonly headers: Headers;
}

const states: readonly string[] = ["ok", "partial", "stale", "absent", "unreadable"] satisfies DataState[];

/** Reads the metadata of an answer from its headers. A state that this version does not know becomes `unreadable`. */
export function meaningOf(headers: Headers): Meaning {
  const state = headers.get("x-vigil-state");
  const modified = Date.parse(headers.get("last-modified") ?? "");
  return {
    state: state === null ? undefined : isState(state) ? state : "unreadable",
    generation: generationIn(headers.get("x-vigil-generation") ?? ""),
    lastModified: Number.isNaN(modified) ? undefined : new Date(modified),
    etag: headers.get("etag") ?? undefined,
    notice: headers.get("x-vigil-notice") ?? undefined,
    simulated: headers.get("x-vigil-data") === "simulated",
  };
}

function isState(text: string): text is DataState {
  return states.includes(text);
}

/** Parses a dictionary of generations, as in `co2=12, ice=4`. */
export function generationIn(text: string): Generation {
  const entries = text.split(",").flatMap((entry) => {
    const [, name, number] = /^\s*([\w-]+)=(\d{1,15})\s*$/.exec(entry) ?? [];
    return name === undefined ? [] : [[name, Number(number)] as const];
  });
  return Object.fromEntries(entries);
}
