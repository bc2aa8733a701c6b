import { Type } from "typebox";
import type { OnDemandReadFrom, PlanningContext } from "../../../contract/on-demand.js";
import { operation } from "../../../contract/operation.js";
import { type QueryField, quoted, single } from "../../../contract/query-field.js";
import type { Snapshot } from "../../../contract/snapshot.js";
import { SourceFailure } from "../../../contract/source.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { type ListedCompaniesView, listedCompanies } from "../datasets/listed-companies.js";
import { InsiderTransaction, type OwnershipReports } from "../records.js";
import { type InsiderActivity, insiderActivity } from "../rules/insider-activity.js";
import { type OwnershipPlan, REPORTS_MAX, secOwnershipReports } from "../sources/sec-ownership-reports.js";

const WINDOW_DAYS = 180;
const SYMBOL = "^[A-Za-z0-9.\\-]{1,16}$";
const symbolShape = new RegExp(SYMBOL, "u");

interface Query {
  readonly symbol: string;
}
type Snapshots = { readonly listed: Snapshot<ListedCompaniesView> };

interface Activity extends InsiderActivity {
  readonly filingsUnread: number;
}

/** Reads the ownership reports about the company that has the requested ticker. The reports are kept for a day. */
const activityOfCompany: OnDemandReadFrom<Query, Snapshots, OwnershipPlan, OwnershipReports, Activity> = {
  name: "insider transactions",
  source: secOwnershipReports,
  ttlMs: DAY_MS,
  missTtlMs: HOUR_MS,
  errorTtlMs: MINUTE_MS,
  staleWhileErrorMs: 2 * DAY_MS,
  timeLimitMs: 25 * SECOND_MS,
  planFrom({ symbol }: Query, { snapshots: { listed }, now }: PlanningContext<Snapshots>) {
    const company = listed.available ? listed.view.withTicker(symbol) : undefined;
    return company && { cik: company.cik, from: new Date(now - WINDOW_DAYS * DAY_MS).toISOString().slice(0, 10) };
  },
  keyOf: ({ cik }) => cik,
  keep({ cik, from }, [{ reports, unreadCount } = { reports: [], unreadCount: 0 }]) {
    if (reports.length === 0 && unreadCount > 0) {
      throw new SourceFailure("changed", `none of ${unreadCount} ownership reports about ${cik} could be read`);
    }
    return { ...insiderActivity(reports, from), filingsUnread: unreadCount };
  },
};

const ticker: QueryField<string> = {
  schema: Type.String({ minLength: 1, maxLength: 16, pattern: SYMBOL }),
  description: "Listed ticker (case-insensitive), such as `AAPL` or `BRK.B`",
  required: true,
  // The test precedes the conversion to upper case, because "ß" would become "SS" and pass.
  decode: single("", (raw) =>
    symbolShape.test(raw)
      ? { value: raw.toUpperCase() }
      : { violation: `must be a ticker of 1 to 16 letters, digits, points and hyphens, got ${quoted(raw)}` },
  ),
  canonical: (value) => value || undefined,
};

const usd = (description: string) => Type.Number({ format: "double", description: `${description}, US dollars` });

/** Trades of a company's insiders in its shares over 180 days, newest first. Source: SEC EDGAR, form 4. */
export const getInsiderTransactions = operation({
  rpc: "get-insider-transactions",
  summary: "Insider purchases and sales of a US-listed company over 180 days",
  description: `Directors, officers and large holders report trades in the company's shares to the SEC within two days (form 4). Totals cover the trades that were made in the last ${WINDOW_DAYS} days, from all reports that were read; \`transactions\` has the newest 20. Only shares are covered, not derivatives. An amendment replaces the report that it amends. The reports are read when the operation is called, at most the newest ${REPORTS_MAX}, and are reused for 24 hours. \`filingsUnread\` is the number of reports in the window that were not read. \`unavailable: true\` means that the ticker is unknown, or that its reports could not be read.`,
  cache: "slow",
  reads: { listed: listedCompanies },
  fetches: { activity: activityOfCompany },
  query: { symbol: ticker },
  response: Type.Object(
    {
      unavailable: Type.Boolean({
        description: "True if the company could not be resolved or its filings could not be read",
      }),
      symbol: Type.String({ description: "The requested ticker in upper case" }),
      totalBuys: usd("Value of all purchases (code P), rounded"),
      totalSells: usd("Value of all sales (code S), rounded"),
      netValue: usd("`totalBuys` minus `totalSells`"),
      transactions: Type.Array(InsiderTransaction, { description: "Newest first, at most 20", maxItems: 20 }),
      fetchedAt: Type.String({ description: "Time of the read, ISO 8601 UTC; empty without data" }),
      filingsUnread: Type.Integer({
        format: "int32",
        description: "Number of reports in the window that were not read and are missing from the totals",
      }),
    },
    { title: "GetInsiderTransactionsResponse" },
  ),
  examples: [
    { symbol: "VAAB" },
    { symbol: "vabx.b" },
    { symbol: "VAAB", jmespath: "transactions[?transactionCode=='S'].[name, value]" },
  ],
  run({ symbol }, _snapshots, { observations: { activity } }) {
    if (!("data" in activity)) {
      return {
        unavailable: true,
        symbol,
        totalBuys: 0,
        totalSells: 0,
        netValue: 0,
        transactions: [],
        fetchedAt: "",
        filingsUnread: 0,
      };
    }
    const [{ totalBuys, totalSells, netValue, transactions, filingsUnread }] = activity.data;
    return {
      unavailable: false,
      symbol,
      totalBuys,
      totalSells,
      netValue,
      transactions: [...transactions],
      fetchedAt: new Date(activity.fetchedAt).toISOString(),
      filingsUnread,
    };
  },
});
