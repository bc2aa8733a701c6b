// Evaluates watches and delivers their firings on a simulated clock, tick after tick, until it is killed or has
// finished its last tick. Prints a line when a part of a tick starts and when a tick ends. If a process is killed
// during a tick, the next process makes another attempt at this tick. argv: number of this process in the sequence of
// processes that use the store, first tick, number of the attempt at the first tick, last tick, origin of the webhook
// receiver, port of the mail server.
import { writeSync } from "node:fs";
import { smtpSender } from "../../../dist/app/smtp-mail.js";
import { storedExpressions } from "../../../dist/app/stored-expressions.js";
import { settingReader } from "../../../dist/contract/setting.js";
import { openDatabase } from "../../../dist/database/open.js";
import { MINUTE_MS, systemClock } from "../../../dist/kit/clock.js";
import { LoopTurns } from "../../../dist/kit/loop-turns.js";
import { tokenSigner } from "../../../dist/kit/signed-token.js";
import { watchEvaluator } from "../../../dist/services/watches/store/evaluator/evaluator.js";
import { firingStoreLog } from "../../../dist/services/watches/store/firing-reader.js";
import { queueMails } from "../../../dist/services/watches/store/mail/fan-out.js";
import { sendMails } from "../../../dist/services/watches/store/mail/send.js";
import { fanOut } from "../../../dist/services/webhooks/store/fan-out.js";
import { sendDue } from "../../../dist/services/webhooks/store/send-due.js";
import { outwardSender } from "../../../dist/upstream/post-outward.js";
import { countedBytes } from "../counted-bytes.mjs";
import { START, TICK_MS, worldAt } from "./watch-world.mjs";

/**
 * Simulated time between two attempts at a tick. It is longer than every lease, so the leases of a killed process have
 * expired. It is short enough for all attempts to end before the next tick.
 */
const ATTEMPT_MS = 3 * MINUTE_MS;
const [ordinal, firstTick, attempt, lastTick] = process.argv.slice(2, 6).map(Number);
const [origin, mailPort] = process.argv.slice(6);
const database = await openDatabase({ url: process.env.DATABASE_URL, dataDir: process.env.VIGIL_DATA_DIR });
let now = START;
const clock = { now: () => now, sleep: systemClock.sleep };
const { signal } = new AbortController();
const parts = {
  database,
  clock,
  randomBytes: countedBytes(ordinal),
  settingOf: settingReader({ VIGIL_WEBHOOK_PRIVATE_TARGETS: origin, VIGIL_WATCH_MS_PER_MINUTE: "60000" }),
  vault: undefined,
  signer: tokenSigner(Buffer.alloc(32)),
  count: () => undefined,
  isSimulated: false,
};
const { log, open } = firingStoreLog(parts);
const firings = { log, reader: open(database.db) };
const outward = outwardSender({ clock: systemClock, userAgent: "vigil-test/1.0" });
const server = { host: "127.0.0.1", port: Number(mailPort), tls: "none", login: undefined };
const smtp = smtpSender({ server, from: "vigil@vigil.example", clock: systemClock, isSimulated: false });
const mail = { origin: "http://vigil.example", domain: "vigil.example", send: smtp.send };
const turns = new LoopTurns();
const expressions = storedExpressions({ projectionFuel: 1_000_000 }, turns);
const evaluate = watchEvaluator(parts);

writeSync(1, "ready\n");
for (let tick = firstTick; tick <= lastTick; tick += 1) {
  now = START + tick * TICK_MS + (tick === firstTick ? attempt * ATTEMPT_MS : 0);
  writeSync(1, `evaluation ${tick}\n`);
  await evaluate({ ...worldAt(tick, expressions), turns, signal });
  writeSync(1, `delivery ${tick}\n`);
  await fanOut(parts, [firings], signal);
  await queueMails(parts, firings, signal);
  await Promise.all([sendDue(parts, { post: outward.post, signal }), sendMails(parts, { mail, firings, signal })]);
  writeSync(1, `done ${tick}\n`);
}
smtp.close();
await outward.close();
await database.close();
