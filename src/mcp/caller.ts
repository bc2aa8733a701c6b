/** A call of the service's own API. */
export interface OwnCall {
  readonly method: "GET" | "POST";
  /** Path and query. */
  readonly target: string;
  /** JSON body of a POST. */
  readonly body?: string;
  readonly idempotencyKey?: string | undefined;
}

/** The answer to a call, equal to the answer of the same call over REST. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Calls the API with the credentials of the agent. Does not reject for an answer with an error status. */
export type Caller = (call: OwnCall) => Promise<CallAnswer>;
