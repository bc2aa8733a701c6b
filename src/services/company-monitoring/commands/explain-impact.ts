import type { ExplainCommand } from "../../../contract/explain-command.js";
import type { ExplainedImpact } from "./impact-text.js";

/** `vigil explain impact`: prints the decision on an impact with its reasons. */
export const explainImpact: ExplainCommand = {
  subject: "impact",
  description: "why a material impact was published, corrected or retracted (VIGIL_URL, VIGIL_KEY)",
  argument: { name: "impact", description: "its `impactId`" },
  options: [],
  examples: ["vigil explain impact cm_impact_01KAZJ9M3T8V6Y2C4E5F7G8H9J"],
  async run({ argument, fetch }) {
    const { impactText } = await import("./impact-text.js");
    const query = new URLSearchParams({ impact_id: argument });
    // The cast assumes an answer of this version of the service. Any other answer fails at the first missing member.
    return impactText(
      (await fetch(`/api/company-monitoring/v1/get-company-material-event?${query}`)) as ExplainedImpact,
    );
  },
};
