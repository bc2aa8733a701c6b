import { fuzzActions } from "./support/action-requests.js";
import { fuzzContract } from "./support/requests.js";

/** A short run of what test/acceptance/contract-fuzz.test.ts does at length. */
fuzzContract(100);
fuzzActions(100);
