/** The label of every answer of a demo, errors and pages included. Real data has no such header. */
export function demoLabel(simulated: boolean): Readonly<Record<string, string>> {
  return simulated ? { "X-Vigil-Data": "simulated" } : {};
}
