import { walkOperations } from "../../../test/support/walks/service.js";
import { cases } from "./testing/cases.js";

walkOperations("watches", cases);
