/** The result of one check. */
export interface Finding {
  /**
   * `failed`: the service would not start or not work. `degraded`: a configured part works with limits. `off`: a part
   * that is not configured.
   */
  readonly state: "ok" | "off" | "degraded" | "failed";
  readonly what: string;
  readonly says: string;
}
