import type { ObservedWindow } from "../scan/advanced.js";
import type { Finding } from "../scan/finding.js";
import type { ScannedCompany } from "../scan/provider.js";
import type { CompanyRegister, RegisterAnswer } from "./register.js";
import { registerChanges } from "./register-changes.js";
import { type Resolution, resolveIdentity } from "./resolve-identity.js";

/** The outcome of looking up a company in all registers. */
export interface LookUp {
  readonly window: ObservedWindow;
  /** Undefined if the answers are not sufficient to change the identity. */
  readonly resolution: Resolution | undefined;
  /** Changes in the records that confirmed the company earlier. */
  readonly findings: readonly Finding[];
}

/**
 * Looks up a company in all registers. If a register fails, the others can still verify the company, but cannot revoke
 * a verification. Returns undefined if no register applies to the company, or if every applicable register still waits
 * for the first attempt to build its dataset.
 */
export async function lookUp(
  company: ScannedCompany,
  registers: readonly CompanyRegister[],
): Promise<LookUp | undefined> {
  const applicable = registers.filter((register) => register.appliesTo(company));
  const answers = await Promise.all(applicable.map((register) => register.lookUp(company)));
  const answered = answers.filter((answer) => answer !== undefined);
  if (answered.length === 0) return undefined;
  const read = answered.filter((answer) => answer.state === "read");
  if (read.length === 0) return { window: failedWindow(answered), resolution: undefined, findings: [] };
  const readAt = Math.min(...read.map((answer) => answer.readAt));
  const isComplete = read.length === answers.length;
  const records = read.flatMap((answer) => answer.records);
  const resolution = resolveIdentity(company, records, readAt);
  return {
    window: {
      state: isComplete ? "PROVIDER_COVERAGE_STATE_COMPLETE" : "PROVIDER_COVERAGE_STATE_PARTIAL",
      reasonCode: isComplete ? "complete" : "provider_partial",
      capped: false,
      start: null,
      end: readAt,
    },
    resolution: isComplete || resolution.state === "verified" ? resolution : undefined,
    findings: registerChanges(company, records, readAt),
  };
}

function failedWindow(answers: readonly RegisterAnswer[]): ObservedWindow {
  const reasonCode = answers.flatMap((answer) => (answer.state === "failed" ? [answer.reasonCode] : []))[0];
  return { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: reasonCode ?? "provider_error" };
}
