import { expect, test } from "vitest";
import { tickersIn } from "./title-tickers.js";

test.each([
  ["Apple (NASDAQ: AAPL) beats estimates", ["AAPL"]],
  ["Shell [LSE:SHEL] and BP (NYSE: BP) raise dividends", ["SHEL", "BP"]],
  ["Berkshire (NYSE: BRK.B) sells $AAPL", ["BRK.B", "AAPL"]],
  ["$TSLA, $TSLA and again $TSLA", ["TSLA"]],
  ["Tencent (HKEX: 0700) results", ["0700"]],
])("every explicit ticker is found: %s", (title, tickers) => expect(tickersIn(title)).toEqual(tickers));

test.each([
  "Apple beats estimates",
  "Startup raises $5M from investors",
  "Fund of US$ABC sold",
  "NASDAQ falls as Fed holds",
  "Minister (IMF: growth slows) speaks",
  "$Aapl is not a ticker",
])("a title has no ticker: %s", (title) => expect(tickersIn(title)).toEqual([]));

test("a title yields at most eight tickers", () => {
  expect(tickersIn("$A $B $C $D $E $F $G $H $I $J")).toHaveLength(8);
});
