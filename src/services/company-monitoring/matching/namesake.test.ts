import { expect, test } from "vitest";
import { aliasedCompany, publishableKeys } from "../testing/publishable-matches.js";
import { companyMatcher } from "./company-matcher.js";

const matcher = companyMatcher([
  aliasedCompany("Brunswick Corporation", "Brunswick"),
  aliasedCompany("Beryl Energy", "Beryl"),
  aliasedCompany("Kelvin Thermal", "Kelvin"),
  aliasedCompany("Baker Hughes Company", "Baker"),
  aliasedCompany("Ralph Lauren Corporation", "Ralph Lauren"),
  aliasedCompany("Orange S.A.", "Orange"),
  aliasedCompany("Total SE", "Total"),
  aliasedCompany("Etsy, Inc.", "Etsy"),
  aliasedCompany("Dow Jones & Company", "Dow Jones"),
  aliasedCompany("Topshop Limited", "Topshop"),
  aliasedCompany("Duke Energy Corporation", "Duke"),
]);

const surely = (title: string): readonly string[] => publishableKeys(matcher, title);

test.each([
  "Fans tour the frigate Brunswick before its last voyage",
  "Hurricane Beryl leaves thousands without power",
  "Nitrogen boils at 77 Kelvin, pupils learn",
  "Water freezes at zero degrees Kelvin, pupils insist",
  "Tom Baker and Hughes sign autographs",
  "Etsy's widow unveils plaque",
  "Loch Etsy ferry stranded",
  "Baker's wife opens a farm shop",
  "Ralph Lauren portrait sells for record sum",
  "New Brunswick raises its minimum wage",
  "Total-Congo talks stall over debt",
  "Orange, lemon or lime: shares of citrus growers compared",
  "Student startup wants to become Etsy for cheese",
  "Malta gets its own Etsy as sellers unite",
  "Thief once worked at Etsy, court hears",
  "Dow Jones sinks 600 points on jobs report",
  "TopShop clerks in Ohio vote on a union",
  "Duke raises tuition as the campus grows",
  "Town of Brunswick repairs its bridge",
  "Fire closes shops in downtown Brunswick",
  "Profit from flood sale goes to Kent village Brunswick",
  "Etsy clone raises $3m",
  "Baker, 34, wins gold at the shares of medals table",
  "Total of shares sold rises",
  "Beryl man wins lottery",
])("in %j, a namesake is not mistaken for the company", (title) => {
  expect(surely(title)).toEqual([]);
});

test.each([
  ["Sellers storm Etsy offices after fee rise", ["Etsy"]],
  ["Baker Hughes sells its sensors unit", ["Baker"]],
  ["Etsy and Topshop settle a patent case", ["Etsy", "Topshop"]],
  ["Ralph Lauren's sister company shuts", ["Ralph Lauren"]],
  ["Shipbuilder Brunswick furloughs 300 welders", ["Brunswick"]],
  ["Court clears Total of fraud in merger", ["Total"]],
  ["Orange takes over 46 shops of a rival", ["Orange"]],
])("the companies are found in %j", (title, names) => {
  expect([...surely(title)].sort()).toEqual(names);
});
