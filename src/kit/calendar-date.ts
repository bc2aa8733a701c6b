const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for an existing calendar day written as YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const at = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  // The year is set separately, because Date.UTC adds 1900 to years below 100.
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
}
