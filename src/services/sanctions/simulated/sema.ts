import { DAY_MS } from "../../../kit/clock.js";
import { isoDay, today } from "../../../simulator/models/days.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { personOf, phraseOf } from "./models/names.js";

/**
 * Simulates Canada's list: flat records. Their `Country` is the name of the sanctions regime, in one or two languages.
 */
export const upstream = simulatedUpstream({
  name: "ca-sema",
  routes: [
    {
      host: "www.international.gc.ca",
      path: "/world-monde/assets/office_docs/international_relations-relations_internationales/sanctions/sema-lmes.xml",
      handle: answerList,
      variants: {
        changed: (xml) => xml.replaceAll("Country>", "Regime>"),
        empty: (xml) => xml.replace(/<record>[\s\S]*<\/record>\n/, ""),
        badRow: (xml) => rewriteMiddle(xml, /<DateOfListing>[^<]*/g, () => "<DateOfListing>2019-13-45"),
      },
    },
  ],
});

const RECORDS = 300;
const REGIMES = ["Belarus", "Russia / Russie", "Iran", "Myanmar", "Justice for Victims of Corrupt Foreign Officials"];

function answerList({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<data-set>
${Array.from({ length: RECORDS }, (_, index) => recordOf(seed, index, today(now))).join("")}</data-set>
`;
  return { status: 200, contentType: "text/xml", body };
}

function recordOf(seed: number, index: number, day: number): string {
  const random = streamFor(seed, `sema ${index}`);
  const country = REGIMES[index % REGIMES.length] ?? "";
  const [givenName = "", middle = "", family = ""] = personOf(random, "").split(" ");
  const isPerson = random() < 0.6;
  const isShip = !isPerson && random() < 0.1;
  // The newest entries have today's date, or 10 November 2026 if today is later.
  const listedOn = isoDay(Math.min(day, Date.UTC(2026, 10, 10)) - Math.floor(index / 2) * DAY_MS);
  const names = isPerson
    ? `<LastName>${family}</LastName><GivenName>${givenName} ${middle}</GivenName>`
    : `<EntityOrShip>${phraseOf(random, "JSC")}</EntityOrShip>${isShip ? `<ShipIMONumber>${9_100_000 + index}</ShipIMONumber>` : ""}`;
  const aliases = random() < 0.2 ? `<Aliases>Simulated ${index}; SIM-${index}</Aliases>` : "";
  return `<record><Country>${country}</Country>${names}${aliases}<Schedule>1, Part ${isPerson ? 1 : 2}</Schedule><Item>${index + 1}</Item><DateOfListing>${listedOn}</DateOfListing></record>
`;
}
