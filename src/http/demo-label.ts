/** The header that labels every answer of a demo, including errors and pages. Answers with real data do not have it. */
export function demoLabel(simulated: boolean): Readonly<Record<string, string>> {
  return simulated ? { "X-Vigil-Data": "simulated" } : {};
}
