import { walkWrites } from "../../../test/support/walks/service.js";
import { cases } from "./testing/cases.js";

walkWrites("webhooks", cases);
