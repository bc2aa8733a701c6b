import { walkWrites } from "../../../test/support/walks/service.js";
import { cases } from "./testing/cases.js";

walkWrites("watches", cases);
