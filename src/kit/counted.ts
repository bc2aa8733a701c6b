const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Formats a whole number: "1,200". */
export function count(value: number): string {
  return whole.format(value);
}

/** Formats a number with the noun that it counts: "1 event", "1,200 events", "3 leaves". */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}
