import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {
    "get-insider-transactions": {
      kind: "on-demand",
      query: "symbol=VAAB",
      // The faults of the ownership reports themselves are tested in get-insider-transactions.test.ts.
      upstreams: ["sec-submissions"],
      failed: { unavailable: true, totalBuys: 0, totalSells: 0, netValue: 0, transactions: [], fetchedAt: "" },
      none: { unavailable: false, totalBuys: 0, totalSells: 0, transactions: [], filingsUnread: 0 },
      rows: ({ transactions }) => (transactions as readonly unknown[]).length,
    },
  },
  datasets: {
    "listed-companies": {
      kind: "stored",
      shownBy: "/api/market/v1/get-insider-transactions?symbol=VAAB",
      feeds: [{ upstream: "sec-company-tickers", badRow: {} }],
    },
  },
  additions: { "get-insider-transactions": { fields: ["filingsUnread"] } },
  payloads: {
    "sec-company-tickers": "sec-edgar/company_tickers.json",
    "sec-ownership-reports": "groups-economy/insider-form4/form4-snow.xml",
  },
};
