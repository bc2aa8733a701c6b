/** The deprecation of an operation: its date, its sunset and its replacement. Instants are epoch ms, UTC. */
export interface Deprecation {
  readonly since: number;
  readonly sunset: number;
  /** Path of the operation that replaces the deprecated one. */
  readonly successor?: string;
}

/** Minimum time between announcement and removal; longer than the 90 days' notice that the contract requires. */
const NOTICE_MONTHS = 6;

/** Returns the headers of every answer of a deprecated operation, errors included: RFC 9745, RFC 8594 and RFC 8288. */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  policyUrl: string,
): Readonly<Record<string, string>> {
  const policy = `<${policyUrl}>; rel="deprecation"; type="text/html"`;
  return {
    Deprecation: `@${Math.floor(since / 1_000)}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: successor === undefined ? policy : `${policy}, <${successor}>; rel="successor-version"`,
  };
}

/** Lists the violations of the deprecation policy, one sentence each; empty for a valid deprecation. */
export function deprecationFaults({ since, sunset, successor }: Deprecation): readonly string[] {
  const faults: string[] = [];
  if (!isInstant(since)) faults.push(`since must be an instant in epoch ms, got ${since}`);
  if (!isInstant(sunset)) faults.push(`sunset must be an instant in epoch ms, got ${sunset}`);
  if (isInstant(since) && isInstant(sunset) && sunset < monthsLater(since, NOTICE_MONTHS)) {
    faults.push(
      `sunset must be at least ${NOTICE_MONTHS} months after "since", that is ${new Date(monthsLater(since, NOTICE_MONTHS)).toISOString()} or later, got ${new Date(sunset).toISOString()}`,
    );
  }
  if (successor !== undefined && !/^\/[\w./-]+$/.test(successor)) {
    faults.push(`successor must be a path of this service, got ${JSON.stringify(successor)}`);
  }
  return faults;
}

function isInstant(value: number): boolean {
  return !Number.isNaN(new Date(value).getTime());
}

/** Returns the same day and time of a later month, or the last day of that month if the month is too short. */
function monthsLater(instant: number, months: number): number {
  const later = new Date(instant);
  const day = later.getUTCDate();
  later.setUTCMonth(later.getUTCMonth() + months);
  // If the month lacks this day, JavaScript moves the date into the next month.
  if (later.getUTCDate() !== day) later.setUTCDate(0);
  return later.getTime();
}
