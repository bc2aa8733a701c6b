// Judges the findings of a store once, in a separate process that a test kills. argv: data folder, and optionally a
// PostgreSQL address.
import { randomBytes } from "node:crypto";
import { settingReader } from "../../../dist/contract/setting.js";
import { openDatabase } from "../../../dist/database/open.js";
import { systemClock } from "../../../dist/kit/clock.js";
import { admissionRound } from "../../../dist/services/company-monitoring/store/admission/admission-job.js";

const [dataDir, url] = process.argv.slice(2);
const database = await openDatabase({ dataDir, ...(url && { url }) });
process.stdout.write("ready\n");
const parts = { database, clock: systemClock, randomBytes, settingOf: settingReader({}), count: () => undefined };
await admissionRound(parts, new AbortController().signal);
await database.close();
