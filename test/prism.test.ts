import { loadServices } from "../src/services/registry.js";
import { compareAnswers } from "./support/compared-answers.js";

/** A short form of test/acceptance/prism.test.ts: a few reads, the writes and every platform path. */
const NAMES = ["list-earthquakes", "get-us-cpi-monthly", "get-account", "list-dataset-states"];

const services = await loadServices();
const few = {
  ...services,
  operations: services.operations.filter(({ operation }) => NAMES.includes(operation.rpc)),
  accountReads: services.accountReads.filter(({ read }) => NAMES.includes(read.rpc)),
};
compareAnswers(few, ["us-cpi", "earthquakes"]);
