import { loadServices } from "../../src/services/registry.js";
import { compareAnswers } from "../support/compared-answers.js";

compareAnswers(await loadServices(), "all");
