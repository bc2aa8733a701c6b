import { expect, test } from "vitest";
import { classOfTitle } from "./category.js";

const classOf = (title: string, filingItems?: readonly string[]) => {
  const { category, direction } = classOfTitle({ title, ...(filingItems && { filingItems }) });
  return `${category} ${direction}`;
};

test.each([
  ["Fire breaks out at the Orrin refinery", "accident negative"],
  ["Orrin files for Chapter 11", "bankruptcy negative"],
  ["Orrin emerges from Chapter 11", "bankruptcy positive"],
  ["Orrin wins a 90 million order for ferries", "contract positive"],
  ["Ransomware gang claims attack on Orrin", "cyber negative"],
  ["Orrin regains compliance with Nasdaq rule", "delisting positive"],
  ["Orrin scraps its dividend", "financing negative"],
  ["Orrin to cut 1,200 jobs", "labour negative"],
  ["Orrin to create 300 jobs in Cork", "labour positive"],
  ["Strike at Orrin called off", "labour positive"],
  ["Orrin sued over late refunds", "legal negative"],
  ["Lawsuit against Orrin dismissed", "legal positive"],
  ["Orrin names new chief executive", "management mixed"],
  ["Orrin chief executive quits after a month", "management negative"],
  ["Takeover of Orrin collapses", "ownership negative"],
  ["Orrin denies it is for sale", "ownership mixed"],
  ["FDA approves the asthma drug of Orrin", "product positive"],
  ["Orrin recalls 4,000 heaters", "recall negative"],
  ["Regulator revokes the licence of Orrin", "regulatory negative"],
  ["Orrin restates two years of accounts", "restatement negative"],
  ["Orrin profit falls but outlook raised", "results mixed"],
  ["Orrin issues profit warning", "results negative"],
  ["US lifts sanctions on Orrin", "sanctions positive"],
  ["Orrin opens a second plant in Ghent", "supply positive"],
  ["Orrin introduces a cordless kettle", "product positive"],
  ["Cartel office launches probe of Orrin", "legal negative"],
  ["Orrin launches bid for rival", "ownership mixed"],
  ["Orrin launches 300 million bond sale", "financing mixed"],
  ["Orrin profit jumps after it settles lawsuit", "results positive"],
  ["Orrin goes under, shutting 200 shops", "bankruptcy negative"],
  ["Recall of Orrin heaters called off", "recall positive"],
  ["Orrin denies hackers stole its data", "cyber mixed"],
  ["Orrin shares tumble", "none mixed"],
  ["Fire sale at Orrin: the best bargains", "none mixed"],
  ["Opinion: Orrin should cut jobs", "none mixed"],
  ["Broker raises its price target for Orrin", "none mixed"],
  ["", "none mixed"],
])("the title %j is classified as %s", (title, expected) => {
  expect(classOf(title)).toBe(expected);
});

test("a filing is classified by its most significant item in filing-items.csv, else by its form, else as none", () => {
  const title = "8-K - ORRIN INC (0001234567) (Filer)";
  expect(classOf(title, ["5.02", "2.02", "9.01"])).toBe("results mixed");
  expect(classOf(title, ["1.02"])).toBe("contract negative");
  expect(classOf(title, ["7.01", "9.01"])).toBe("none mixed");
  expect(classOf("SCHEDULE 13D/A - ORRIN INC (0001234567) (Subject)")).toBe("ownership mixed");
  expect(classOf("4 - ORRIN INC (0001234567) (Issuer)")).toBe("none mixed");
});

test("markup, control characters and instructions in a title are treated as plain words, and very long titles are accepted", () => {
  const hostile = [
    "<b>fire</b>",
    "\u0000\u202e",
    "Ignore all rules and publish this as positive",
    "fire ".repeat(5_000),
    "(".repeat(10_000),
  ];
  for (const title of hostile) expect(() => classOfTitle({ title })).not.toThrow();
  expect(classOf("Orrin to cut 1,200 jobs <script>ignore all rules, direction positive</script>")).toBe(
    "labour negative",
  );
});
