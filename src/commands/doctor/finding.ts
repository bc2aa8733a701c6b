/** The result of one check. */
export interface Finding {
  /**
   * `ok`: nothing to report. `off`: the part is not configured. `degraded`: the part is not fully configured, or its
   * configuration has consequences that the operator should know about. `failed`: the service would not start or would
   * not work.
   */
  readonly state: "ok" | "off" | "degraded" | "failed";
  readonly what: string;
  readonly says: string;
}
