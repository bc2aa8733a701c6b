import type { JobContext } from "../../src/database/service-store.js";

const unused = (): never => {
  throw new Error("this job must not read stored answers or the dataset log");
};

/** Parts for a job that sends no email, wakes no other job, and reads neither stored answers nor the dataset log. */
export const unusedParts: Pick<JobContext<Record<string, never>>, "mail" | "answers" | "timeline" | "noteChanges"> = {
  noteChanges: () => undefined,
  mail: undefined,
  answers: { ask: unused, reopen: unused, answer: unused, refusal: unused, evaluate: unused },
  timeline: { extent: unused, after: unused, standingsAt: unused, positionAt: unused },
};
