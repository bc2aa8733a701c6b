/** The text that a check prints. `isBad` makes the exit code 1. */
export interface Diagnosis {
  readonly text: string;
  readonly isBad: boolean;
}

/** Options of `vigil doctor`, including the filters of the feed catalogue. */
export interface DoctorOptions {
  readonly feeds?: boolean;
  readonly sources?: boolean;
  readonly save?: string;
  readonly json?: boolean;
  readonly overrides?: boolean;
  readonly demo?: boolean;
  readonly [filter: string]: string | boolean | undefined;
}
