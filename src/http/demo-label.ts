/** The label of every answer of a demo, refusals and pages of the service included; no header where the data is real. */
export function demoLabel(simulated: boolean): Readonly<Record<string, string>> {
  return simulated ? { "X-Vigil-Data": "simulated" } : {};
}
