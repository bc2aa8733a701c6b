import { fuzzActions } from "../support/action-requests.js";
import { fuzzContract, fuzzStreams } from "../support/requests.js";

fuzzContract(2_000);
fuzzStreams(2_000);
fuzzActions(2_000);
