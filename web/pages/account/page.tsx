import { useNow } from "../../clock.js";
import { agoText, dayText, numberText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { failureText } from "../../reads/failure-text.js";
import { useRead } from "../../reads/read.js";
import { session, signOut } from "../../session.js";
import { useStore } from "../../store.js";
import { useWrite } from "../../writes/write.js";
import { Keys } from "./keys.js";
import { Sessions } from "./sessions.js";
import "./account.css";

/** Time between two reads of the usage. It is not shorter, because these reads also count against the limits. */
const EVERY_MS = 15_000;

/** The signed-in account, its keys, its sessions and its remaining limits. */
export default function AccountPage() {
  return (
    <>
      <h1>Account</h1>
      <Identity />
      <Keys />
      <Sessions />
      <Usage />
    </>
  );
}

function Identity() {
  const who = useStore(session);
  const { isSent, failure, send } = useWrite(signOut);
  if (who.kind !== "in") return null;
  const { account, plan, credential, scopes } = who.account;
  return (
    <section class="card">
      <h2>{account?.name ?? "Operator-issued credential"}</h2>
      <dl class="facts">
        <div>
          <dt>Plan</dt>
          <dd>{account === undefined || account.planState === "active" ? plan : `${plan}, ${account.planState}`}</dd>
        </div>
        <div>
          <dt>Signed in with</dt>
          <dd>{credential}</dd>
        </div>
        {account && (
          <div>
            <dt>Account</dt>
            <dd>
              <code>{account.id}</code>
              {account.createdAt > 0 && `, since ${dayText(account.createdAt)}`}
            </dd>
          </div>
        )}
        <div>
          <dt>Scopes</dt>
          <dd>{scopes.join(", ")}</dd>
        </div>
      </dl>
      {failure !== undefined && (
        <p class="notice failed" role="alert">
          {failureText(failure)}
        </p>
      )}
      <p class="row">
        <button type="button" disabled={isSent} onClick={() => send()}>
          Sign out
        </button>
      </p>
    </section>
  );
}

interface Limit {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: number;
}

function Usage() {
  const now = useNow();
  const read = useRead("get-usage", {}, { hasPast: false, isLive: false, everyMs: EVERY_MS });
  const columns: readonly Column<Limit>[] = [
    { id: "name", name: "Limit", cell: ({ name }) => name },
    { id: "window", name: "Window", cell: ({ windowSeconds }) => windowText(windowSeconds) },
    { id: "used", name: "Used", isNumber: true, cell: ({ used }) => numberText(used) },
    { id: "limit", name: "Allowed", isNumber: true, cell: ({ limit }) => numberText(limit) },
    { id: "remaining", name: "Remaining", isNumber: true, cell: ({ remaining }) => numberText(remaining) },
    { id: "reset", name: "More available", cell: ({ resetAt }) => agoText(resetAt, now) },
  ];
  return (
    <ReadFrame
      read={read}
      title="Usage"
      empty={{ when: ({ limits }) => limits.length === 0, text: "Your calls are not limited." }}
    >
      {({ limits }) => (
        <DataTable
          caption="Limits and what remains of each"
          columns={columns}
          rows={limits}
          idOf={({ name }) => name}
        />
      )}
    </ReadFrame>
  );
}

function windowText(seconds: number): string {
  if (seconds === 60) return "a minute";
  return seconds === 86_400 ? "a UTC day" : `${numberText(seconds)} s`;
}
