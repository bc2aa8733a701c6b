import type { Command } from "commander";
import { auditEvents } from "../access/audit-log.js";
import { ConfigError } from "../app/config.js";
import { table } from "../kit/text-table.js";
import { addStoreCommand, JSON_OUTPUT, type ListChoice, onAccounts } from "./shared/account-store.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";

const HELP = helpText({
  examples: [["vigil audit"], ["vigil audit --limit 1000 --json | jq '.[] | select(.action == \"key.revoked\")'"]],
});

/** Adds `vigil audit`. */
export function addAudit(root: Command, run: typeof audit = audit): void {
  addStoreCommand(root, "audit", "list changes to accounts and keys, sign-ins and refused attempts, newest first")
    .option("--limit <count>", "maximum number of events", "50")
    .option(...JSON_OUTPUT)
    .addHelpText("after", HELP)
    .action((options: AuditOptions) => run(options));
}

interface AuditOptions extends ListChoice {
  readonly limit: string;
}

async function audit({ limit, ...choice }: AuditOptions): Promise<void> {
  const text = await onAccounts(choice, async ({ database }) => {
    const events = await auditEvents(database.db, { limit: limitIn(limit) });
    if (choice.json) return JSON.stringify(events, null, 2);
    const rows = events.map(({ at, action, actor, accountId, subject, address, detail }) => [
      new Date(at).toISOString(),
      action,
      actor,
      accountId ?? "-",
      subject ?? "-",
      address ?? "-",
      JSON.stringify(detail),
    ]);
    return table(["at", "action", "by", "account", "subject", "from", "detail"], rows);
  });
  say(text);
}

/** Parses a whole number from 1 to 9999. Throws for any other text. */
export function limitIn(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new ConfigError(`--limit must be from 1 to 9999, got ${text}`);
}
