/** The facts that the client needs to send a call. */
export interface CallFacts {
  /** The service of the call, as in its path. */
  readonly service: string;
  /** The path of the call, if it is not `/api/<service>/v1/<name>`. */
  readonly path?: string;
  /**
   * `text`: a GET of text; `write`: a POST of JSON; `form`: a POST of a form; `stream`: a stream of events; absent for
   * a GET of JSON.
   */
  readonly kind?: "text" | "write" | "form" | "stream";
  /** True if the call takes an `Idempotency-Key`, so that it can be repeated. */
  readonly isKeyed?: true;
  /** The member with the rows of a page, or with the changes of a poll. */
  readonly rows?: string;
  /** The path of the rows, such as `earthquakes` or `categories.*.items`, if the call reports their changes. */
  readonly changingRows?: string;
  /** True if the pages of the call are polls for changes. */
  readonly isPoll?: true;
}
