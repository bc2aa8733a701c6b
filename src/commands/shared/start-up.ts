import { type Config, ConfigError, loadConfig, mistypedVariables } from "../../app/config.js";
import { createLog, type Logger } from "../../app/log.js";
import { loadServices, type Services } from "../../services/registry.js";

/** The parts that every command starts with. */
export interface StartUp {
  readonly services: Services;
  readonly config: Config;
  readonly log: Logger;
}

/** Loads the services and reads the settings from the environment. Throws `ConfigError` for a mistyped or wrong one. */
export async function startUp(): Promise<StartUp> {
  const services = await loadServices();
  const variables = services.sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  const [mistyped] = mistypedVariables(process.env, variables, services.settings);
  if (mistyped !== undefined) throw new ConfigError(mistyped);
  const config = loadConfig(process.env, variables, services.settings);
  return { services, config, log: createLog(config) };
}
