/** The result of one check. */
export interface Finding {
  /**
   * `failed`: the service would not start or would not work. `degraded`: a configured part works with limits. `off`:
   * the part is not configured.
   */
  readonly state: "ok" | "off" | "degraded" | "failed";
  readonly what: string;
  readonly says: string;
}
