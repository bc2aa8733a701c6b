import { fuzzActions } from "./support/action-requests.js";
import { fuzzContract, fuzzStreams } from "./support/requests.js";

/** A short run of the fuzz test in test/acceptance/contract-fuzz.test.ts. */
fuzzContract(8);
fuzzStreams(8);
fuzzActions(8);
