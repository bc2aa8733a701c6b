import type { AnySource } from "../contract/source.js";
import type { SourceSettings } from "../ingest/read-source.js";
import type { Config } from "./config.js";

/** Returns only the settings that some source names, so that a source sees nothing else of the environment. */
export function sourceSettings(
  sources: readonly AnySource[],
  { texts, licenceMode }: Pick<Config, "texts" | "licenceMode">,
): SourceSettings {
  const variables = sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  return {
    credentials: Object.fromEntries(variables.map((variable) => [variable, texts[variable]])),
    openLicencesOnly: licenceMode === "open",
  };
}
