import { DAY_MS } from "../../../kit/clock.js";
import { isoDay, today } from "../../../simulator/models/days.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { countryNames, personOf, phraseOf } from "./models/names.js";

/** Simulates the Security Council's list. Unknown values are empty elements, and the list has a new date each day. */
export const upstream = simulatedUpstream({
  name: "un-sanctions",
  routes: [
    {
      host: "scsanctions.un.org",
      path: "/resources/xml/en/consolidated.xml",
      handle: answerList,
      variants: {
        changed: (xml) => xml.replaceAll("CONSOLIDATED_LIST", "LIST"),
        empty: (xml) => xml.replace(/<INDIVIDUALS>[\s\S]*<\/ENTITIES>/, "<INDIVIDUALS/><ENTITIES/>"),
        badRow: (xml) => rewriteMiddle(xml, /<LISTED_ON>[^<]*/g, () => "<LISTED_ON>2019-13-45"),
      },
    },
  ],
});

const INDIVIDUALS = 36;
const ENTITIES = 12;
const FIRST_ID = 6_900_000;
const PROGRAMS = ["SIM-DRC", "SIM-Al-Qaida", "SIM-DPRK", "SIM-Libya"];

function answerList({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const day = today(clock.now());
  const entries = (count: number, first: number, tag: string) =>
    Array.from({ length: count }, (_, index) => entryOf(seed, first + index, tag)).join("");
  const body = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" dateGenerated="${new Date(day).toISOString()}">
<INDIVIDUALS>${entries(INDIVIDUALS, 0, "INDIVIDUAL")}</INDIVIDUALS>
<ENTITIES>${entries(ENTITIES, INDIVIDUALS, "ENTITY")}</ENTITIES>
</CONSOLIDATED_LIST>
`;
  return { status: 200, contentType: "text/xml", body };
}

function entryOf(seed: number, index: number, tag: string): string {
  const random = streamFor(seed, `un ${index}`);
  const isPerson = tag === "INDIVIDUAL";
  const [givenName = "", middle = "", family = ""] = personOf(random, "").split(" ");
  const country = countryNames[Math.floor(random() * countryNames.length)] ?? "";
  const names = isPerson
    ? `<FIRST_NAME>${givenName}</FIRST_NAME><SECOND_NAME>${middle}</SECOND_NAME><THIRD_NAME>${family}</THIRD_NAME>`
    : `<FIRST_NAME>${phraseOf(random, "")}</FIRST_NAME>`;
  const where = isPerson
    ? `<NATIONALITY><VALUE>${country}</VALUE></NATIONALITY>`
    : `<ENTITY_ADDRESS><COUNTRY>${country}</COUNTRY></ENTITY_ADDRESS>`;
  const alias =
    random() < 0.5 ? "<QUALITY/><ALIAS_NAME/>" : `<QUALITY>Good</QUALITY><ALIAS_NAME>Simulated ${index}</ALIAS_NAME>`;
  return `<${tag}>
<DATAID>${FIRST_ID + index}</DATAID>${names}
<UN_LIST_TYPE>${PROGRAMS[index % PROGRAMS.length]}</UN_LIST_TYPE><LISTED_ON>${isoDay(Date.UTC(2026, 9, 1) - index * 5 * DAY_MS)}</LISTED_ON>
<COMMENTS1>Simulated.</COMMENTS1>${where}<${tag}_ALIAS>${alias}</${tag}_ALIAS>
</${tag}>
`;
}
