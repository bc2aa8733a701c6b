/** The end of the help of a command. */
export interface HelpEnd {
  /** Example calls, each followed by a remark if it needs one. */
  readonly examples: readonly (readonly [call: string, remark?: string])[];
  /** Further sentences, one paragraph. */
  readonly remarks?: string;
  /** Default: the exit codes of a command that either succeeds or fails. */
  readonly exitCodes?: string;
}

/** Minimum width of the column of calls, which precedes the column of remarks. */
const REMARKS_MIN = 30;

/**
 * Formats the end of a command's help: the examples with aligned remarks, any further sentences, and the exit codes.
 */
export function helpText({ examples, remarks, exitCodes = "0 done; 1 refused or failed" }: HelpEnd): string {
  const width = Math.max(REMARKS_MIN, ...examples.map(([call]) => call.length));
  const lines = examples.map(([call, remark]) =>
    remark === undefined ? `  ${call}` : `  ${call.padEnd(width)}   ${remark}`,
  );
  return [
    "",
    `Examples:\n${lines.join("\n")}`,
    ...(remarks === undefined ? [] : [`\n${remarks}`]),
    `\nExit codes: ${exitCodes}.`,
  ].join("\n");
}
