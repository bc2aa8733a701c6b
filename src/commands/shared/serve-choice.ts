/** The options of a serving process. */
export interface ServeChoice {
  readonly role?: string;
  readonly workers?: string;
}

export const ROLE = ["--role <role>", "api, ingest or all; default VIGIL_ROLE"] as const;
export const WORKERS = [
  "--workers <number>",
  "processes that answer calls on one port; default VIGIL_WORKERS",
] as const;
