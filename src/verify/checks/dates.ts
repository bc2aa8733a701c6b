/** Year, month (January is 1) and day of an instant, UTC. */
export function dateOf(at: number): { readonly year: number; readonly month: number; readonly day: number } {
  const date = new Date(at);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function monthName(at: number): string {
  const { year, month } = dateOf(at);
  return `${year}-${String(month).padStart(2, "0")}`;
}
