import type { Project } from "./http/data-answer.js";

export function projector(_limits: { fuelMax: number; perCallerMax: number }): Project {
  return async () => ({ error: "invalid_expression: not there yet", originalKeys: [] });
}
