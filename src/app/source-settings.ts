import type { AnySource } from "../contract/source.js";
import type { SourceSettings } from "../ingest/read-source.js";
import type { Config } from "./config.js";

/** Returns the settings of sources. They contain no variables except the credentials that sources declare. */
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
