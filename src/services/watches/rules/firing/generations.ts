import type { DatasetAt } from "../../../../contract/stored-answers.js";
import { type AnswerPlace, datasetsAt } from "../evaluation/memory.js";
import type { Generations } from "./new-firing.js";

export function generationsOf({ standings }: Pick<AnswerPlace, "standings">): Generations {
  return generationsAt(datasetsAt(standings));
}

export function generationsAt(standings: readonly DatasetAt[]): Generations {
  return Object.fromEntries(
    standings.flatMap(({ dataset, generation }) => (generation === null ? [] : [[dataset, generation]])),
  );
}
