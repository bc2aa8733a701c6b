import type { AnswerCheck, DatasetCheck } from "./check.js";
import { consumerPrices } from "./checks/economic.js";

export const answerChecks: readonly AnswerCheck[] = [consumerPrices];

export const datasetChecks: readonly DatasetCheck[] = [];
