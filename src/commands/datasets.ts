import type { Command } from "commander";
import { systemClock } from "../kit/clock.js";
import { datasetTable } from "./shared/dataset-table.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { runningService } from "./shared/running-service.js";
import { fetchCards, rowOf } from "./shared/service-client.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";

const HELP = helpText({
  examples: [["vigil datasets"], ["vigil datasets --json | jq -r '.[] | select(.state != \"ok\") | .name'"]],
  exitCodes: "0 listed, whatever the states of the datasets; 1 refused, or no service",
});

/** Adds `vigil datasets`. */
export function addDatasets(root: Command, run: typeof datasets = datasets): void {
  root
    .command("datasets")
    .description("list the datasets of a running service (VIGIL_URL, VIGIL_KEY) with state and age")
    .option("--json", "the card of each dataset as JSON")
    .option("--demo", "use the key of the demo's store")
    .addHelpText("after", HELP)
    .action((options: DatasetsOptions) => run(options));
}

interface DatasetsOptions extends StoreChoice {
  readonly json?: boolean;
}

async function datasets({ json, ...choice }: DatasetsOptions): Promise<void> {
  const { config } = await startUp();
  const cards = await fetchCards(runningService(config, choice));
  say(json ? JSON.stringify(cards, null, 2) : datasetTable(cards.map(rowOf), systemClock.now()));
}
