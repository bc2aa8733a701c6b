const MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const TIME = "\\d{2}:\\d{2}:\\d{2}";

/** The three forms of an HTTP date (RFC 9110, 5.6.7); the last one has no time zone and means UTC. */
const fixedForm = new RegExp(`^[A-Z][a-z]{2}, \\d{2} (?:${MONTHS}) \\d{4} ${TIME} GMT$`);
const earlierForm = new RegExp(`^[A-Z][a-z]{5,8}, \\d{2}-(?:${MONTHS})-\\d{2} ${TIME} GMT$`);
const asctimeForm = new RegExp(`^[A-Z][a-z]{2} (?:${MONTHS}) [ \\d]\\d ${TIME} \\d{4}$`);

/** Returns the HTTP date of an instant, epoch ms. Drops the milliseconds. */
export function httpDateText(at: number): string {
  return new Date(at).toUTCString();
}

/** Parses an HTTP date to epoch ms; undefined for any other text. */
export function httpDate(text: string): number | undefined {
  const isUtc = fixedForm.test(text) || earlierForm.test(text);
  if (!isUtc && !asctimeForm.test(text)) return undefined;
  const at = Date.parse(isUtc ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}
