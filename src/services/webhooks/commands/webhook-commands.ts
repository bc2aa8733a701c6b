import type { ServiceCommands } from "../../../contract/service-command.js";
import { listen } from "./listen.js";

export const webhookCommands: ServiceCommands = {
  name: "webhook",
  description: "tools for receivers of webhooks",
  commands: [listen],
};
