import { walkDatasets } from "../../../test/support/walks/service.js";
import { cases } from "./testing/cases.js";

walkDatasets(cases);
