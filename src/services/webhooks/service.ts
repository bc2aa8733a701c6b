import { serviceGroup } from "../../contract/service-group.js";
import { webhookCommands } from "./commands/webhook-commands.js";
import { attemptCounter } from "./rules/attempt-counter.js";
import { listenerSecrets, privateTargets } from "./settings.js";

export const webhooks = serviceGroup({
  name: "Webhooks",
  isPlatform: true,
  description: "Signed deliveries of changes to the addresses that an account chooses.",
  settings: [privateTargets, listenerSecrets],
  commands: [webhookCommands],
  counters: [attemptCounter],
});
