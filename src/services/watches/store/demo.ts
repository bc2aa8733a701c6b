import { OPERATOR_ACCOUNT, type Principal } from "../../../contract/access/principal.js";
import { type StoreParts, storeJob } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { SECOND_MS } from "../../../kit/clock.js";
import type { WatchStart } from "../ports.js";
import type { WatchDefinition } from "../records.js";
import { checkedDefinition } from "../rules/checked-definition.js";
import { startAtEnd } from "../rules/start.js";
import type { EvaluatorContext } from "./evaluator/evaluator-context.js";
import { watchesIn } from "./tables.js";
import { watchStore } from "./watch-store.js";

const shared: Pick<WatchDefinition, "quietSeconds" | "grouping" | "emails"> = {
  quietSeconds: 0,
  grouping: "WATCH_GROUPING_EVALUATION",
  emails: [],
};

/** The watches that a demo creates for its owner. */
const definitions: readonly WatchDefinition[] = [
  {
    ...shared,
    name: "Demo: new earthquakes of magnitude 5 and more",
    call: "/api/seismology/v1/list-earthquakes?min_magnitude=5",
    on: "WATCH_ON_NEW_ROWS",
  },
  {
    ...shared,
    name: "Demo: state of the earthquake data",
    call: "/api/seismology/v1/list-earthquakes",
    on: "WATCH_ON_STATE_CHANGES",
  },
];

const operator: Principal = {
  kind: "key",
  actor: "simulator",
  accountId: OPERATOR_ACCOUNT,
  scopes: new Set(["read"]),
  plan: "enterprise",
  planState: "active",
  isOperator: true,
};

/** The stores of demos whose watches have been created. */
const demos = new WeakSet<StoreParts>();

/** Creates the watches of a demo. This is a separate job, so that the evaluation of watches does not depend on it. */
export const demoWatchesJob = storeJob({
  name: "watches of the demo",
  everyMs: SECOND_MS,
  reads: {},
  onEachNode: true,
  async run(parts, context) {
    if (!parts.isSimulated || demos.has(parts)) return;
    if (await createDemoWatches(parts, context)) demos.add(parts);
  },
});

/**
 * Creates the watches of a demo at its first start; returns true once they have been created. If the owner deletes
 * them, they are not created again.
 */
async function createDemoWatches(
  parts: StoreParts,
  { answers, timeline }: Pick<EvaluatorContext, "answers" | "timeline">,
): Promise<boolean> {
  const { database, clock } = parts;
  // The watches start at the end of the dataset log, so they are not created before the log has an entry.
  if ((await timeline.extent()).newest === 0) return false;
  const starts: WatchStart[] = [];
  for (const definition of definitions) {
    const { datasets } = checkedDefinition(definition, answers, operator).question;
    starts.push({ definition, datasets, memory: await startAtEnd(timeline, datasets, clock.now()) });
  }
  await inTransaction(database.db, async (on) => {
    const account = await watchesIn(on)
      .selectFrom("watch_account")
      .select("account_id")
      .where("account_id", "=", OPERATOR_ACCOUNT)
      .executeTakeFirst();
    if (account) return;
    const watches = watchStore(parts, { principal: operator, actor: operator.actor, address: "", db: on });
    for (const start of starts) await watches.create(start);
  });
  return true;
}
