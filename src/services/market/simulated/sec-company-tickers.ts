import { REGISTRANTS, registrantAt } from "../../../simulator/models/registrants.js";
import { rewriteMiddle, type SimulatedAnswer, simulatedUpstream } from "../../../simulator/upstream.js";

/** Simulates the SEC's list of tickers, which begins with the largest company. */
export const upstream = simulatedUpstream({
  name: "sec-company-tickers",
  routes: [
    {
      host: "www.sec.gov",
      path: "/files/company_tickers.json",
      handle: answerList,
      variants: {
        changed: (json) => `[${json}]`,
        empty: () => "{}",
        badRow: (json) => rewriteMiddle(json, /"ticker":"[^"]*"/g, () => '"symbol":"?"'),
      },
    },
  ],
});

function answerList(): SimulatedAnswer {
  const rows = Array.from({ length: REGISTRANTS }, (_, index) => {
    const { cik, ticker, name } = registrantAt(index);
    return [index, { cik_str: cik, ticker, title: name }];
  });
  return { status: 200, contentType: "application/json", body: JSON.stringify(Object.fromEntries(rows)) };
}
