import { serviceGroup } from "../../contract/service-group.js";
import { watchCommands } from "./commands/watch-commands.js";
import { evaluationCounter } from "./rules/evaluation-counter.js";
import { watchesMax, workMsPerMinute } from "./settings.js";

export const watches = serviceGroup({
  name: "Watches",
  isPlatform: true,
  description:
    "Conditions on answers. The service evaluates a condition whenever the datasets behind its answer change.",
  forAgents:
    'To be notified when something happens, POST `/api/watches/v1/create-watch` with `{"name": "…", "call": "/api/…", "on": "WATCH_ON_NEW_ROWS"}` and poll `/api/watches/v1/list-watch-firings`. `test-watch` runs a watch over the past.',
  settings: [watchesMax, workMsPerMinute],
  counters: [evaluationCounter],
  commands: [watchCommands],
});
