import { fuzzContract } from "../support/requests.js";

fuzzContract(2_000);
