/** The facts by which the client sends a call. */
export interface CallFacts {
  /** Its service, as in its path. */
  readonly service: string;
  /** Its path, if it is not `/api/<service>/v1/<name>`. */
  readonly path?: string;
  /** `read`: a GET of JSON (default); `text`: a GET of a text; `write`: a POST of JSON; `form`: a POST of a form. */
  readonly kind?: "text" | "write" | "form" | "stream";
  /** True if it takes an `Idempotency-Key`, so that it can be repeated. */
  readonly isKeyed?: true;
  /** The member with the rows of a page, or with the changes of a poll. */
  readonly rows?: string;
  /** The place of its rows, as `earthquakes` or `categories.*.items`, if it reports their changes. */
  readonly changingRows?: string;
  /** True if its pages are polls for changes. */
  readonly isPoll?: true;
}
