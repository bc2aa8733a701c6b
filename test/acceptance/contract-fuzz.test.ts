import { fuzzActions } from "../support/action-requests.js";
import { fuzzContract } from "../support/requests.js";

fuzzContract(2_000);
fuzzActions(2_000);
