import { type Config, ConfigError, loadConfig, mistypedVariables } from "../../app/config.js";
import { createLog, type Logger } from "../../app/log.js";
import { loadServices, type Services } from "../../services/registry.js";

/** The loaded services, settings and log with which a command starts. */
export interface StartUp {
  readonly services: Services;
  readonly config: Config;
  readonly log: Logger;
}

/**
 * Loads the services and reads the settings from the environment and the configuration file; `options` are the settings
 * given on the command line. Throws `ConfigError` for a mistyped or invalid setting.
 */
export async function startUp(options: Readonly<Record<string, string | undefined>> = {}): Promise<StartUp> {
  const services = await loadServices();
  const variables = upstreamKeys(services);
  const setOptions = Object.entries(options).filter(([, value]) => value !== undefined);
  const env = { ...process.env, ...Object.fromEntries(setOptions) };
  const [mistyped] = mistypedVariables(env, variables, services.settings);
  if (mistyped !== undefined) throw new ConfigError(mistyped);
  const config = loadConfig(env, variables, services.settings);
  return { services, config, log: createLog(config) };
}

/** The environment variables that hold the keys of upstreams. */
export function upstreamKeys({ sources }: Services): readonly string[] {
  return sources.flatMap(({ credentials }) => credentials.map(({ variable }) => variable));
}
