import type { ServiceCommands } from "../../../contract/service-command.js";
import { testWatchOnPast } from "./test-watch-on-past.js";

export const watchCommands: ServiceCommands = {
  name: "watch",
  description: "the watches of the account that VIGIL_KEY belongs to",
  commands: [testWatchOnPast],
};
