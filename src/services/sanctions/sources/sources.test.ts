import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestsOf, servedOf } from "../../../../test/support/reading.js";
import { recorded, recordedTitle, recordingsAbsent } from "../../../../test/support/recordings.js";
import { countryByName } from "../../../geography/countries.js";
import type { ListedEntity } from "../records.js";
import { entityOf, ofacConsolidated, ofacSdn } from "./ofac.js";
import { sema } from "./sema.js";
import { unList } from "./un-list.js";

const plan = { stored: [] };
const entitiesIn = (reading: { readonly records: readonly unknown[] }) => reading.records as readonly ListedEntity[];

test("an OFAC list with too few entries is reported as a changed document", () => {
  const [primary, aliases, addresses] = requestsOf(ofacSdn, plan);
  if (!primary || !aliases || !addresses) throw new Error("OFAC has three files");
  const body = '36,"AEROCARIBBEAN AIRLINES",-0- ,"CUBA",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n\u001a';
  const reading = readBody(ofacSdn, primary, body);
  expect(reading).toMatchObject({ rowsRead: 1, rowsBad: 0 });
  expect(failureOf(() => servedOf(ofacSdn, [[primary, reading]])).message).toBe(
    "the list is too short (entries: 1); expected 750 or more",
  );
});

test("an OFAC list whose aliases and addresses refer to missing entries is reported as a changed document", () => {
  const [primary, aliases, addresses] = requestsOf(ofacConsolidated, plan);
  if (!primary || !aliases || !addresses) throw new Error("OFAC has three files");
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const entries = numbers.map((number) => `${number},"SIMULADA ${number}",-0- ,"SIM"${",-0- ".repeat(8)}`);
  const read = (entryCount: number) =>
    servedOf(ofacConsolidated, [
      [primary, readBody(ofacConsolidated, primary, entries.slice(0, entryCount).join("\r\n"))],
      [aliases, readBody(ofacConsolidated, aliases, '1,1,"aka","FICTA",-0- ')],
      [
        addresses,
        readBody(
          ofacConsolidated,
          addresses,
          numbers.map((number) => `${number},1,-0- ,-0- ,"Cuba",-0- `).join("\r\n"),
        ),
      ],
    ]);
  expect(read(36)).toHaveLength(36);
  expect(failureOf(() => read(35)).message).toBe(
    "5 of 41 aliases and addresses refer to entries that the list lacks; expected at most a tenth",
  );
});

test.each([
  ["of an unknown type", '36,"FICTA, Simula","digital wallet"'],
  ["with a blank name", '36," ",individual'],
])("an entry of an OFAC list %s is counted as a bad row, and the other entries are served", (_fault, cells) => {
  const [primary, aliases, addresses] = requestsOf(ofacConsolidated, plan);
  if (!primary || !aliases || !addresses) throw new Error("OFAC has three files");
  const others = Array.from({ length: 40 }, (_, index) => `${index + 100},"SIMULADA ${index}",-0- `);
  const body = [...others, cells].map((entry) => `${entry},"SIM"${",-0- ".repeat(8)}`).join("\r\n");
  const reading = readBody(ofacConsolidated, primary, body);
  expect(reading).toMatchObject({ rowsRead: 41, rowsBad: 1 });
  const served = servedOf(ofacConsolidated, [
    [primary, reading],
    [
      aliases,
      readBody(ofacConsolidated, aliases, others.map((_, index) => `${index + 100},1,"aka","FICTA",-0- `).join("\r\n")),
    ],
    [addresses, readBody(ofacConsolidated, addresses, '36,1,-0- ,-0- ,"Cuba",-0- ')],
  ]);
  expect(served).toHaveLength(40);
  expect(served.some(({ id }) => id === "ofac-consolidated:36")).toBe(false);
});

const ofacPerson = (remarks: string): ListedEntity =>
  entityOf(
    "ofac-sdn",
    { number: "36", name: "FICTA, Simula", type: "individual", programs: "SIM", remarks },
    { aliases: [], countryNames: [] },
  );

test.each([
  ["in the middle", "a.k.a. 'O'FICTA'; DOB 1970", ["O'FICTA"]],
  ["at its beginning", "DOB 1970; a.k.a. ''ABD FICTA'.", ["'ABD FICTA"]],
  ["at its end", "a.k.a. 'ABU FICTA''; a.k.a. 'SIMULA'.", ["ABU FICTA'", "SIMULA"]],
  ["before a word", "a.k.a. 'FICTA'S SOLDIERS'; alt. a.k.a. 'ABU 'SIMULA'", ["FICTA'S SOLDIERS", "ABU 'SIMULA"]],
  ["on both sides", "a.k.a. ''FICTA''; a.k.a. ''SIMULA''.", ["'FICTA'", "'SIMULA'"]],
])("an alias in OFAC's remarks that has an apostrophe %s is read whole", (_place, remarks, aliases) => {
  expect(ofacPerson(remarks).aliases).toEqual(aliases);
});

test("a quoted alias in OFAC's remarks that never closes does not swallow the remarks after it", () => {
  expect(ofacPerson("a.k.a. 'FICTA; a.k.a. 'SIMULA'; DOB 1970.").aliases).toEqual(["SIMULA"]);
});

test("an entry keeps up to 300 aliases", () => {
  const row = { number: "36", name: "SIMULADA", type: "entity" as const, programs: "SIM" };
  const aliases = Array.from({ length: 301 }, (_, index) => `FICTA ${index}`);
  const keptOf = (count: number) =>
    entityOf("ofac-sdn", row, { aliases: aliases.slice(0, count), countryNames: [] }).aliases;
  expect(keptOf(95)).toEqual(aliases.slice(0, 95));
  expect(keptOf(301)).toEqual(aliases.slice(0, 300));
});

test.each([
  ["DOB 1970; nationality Congo, Democratic Republic of the.", ["CD"]],
  ["nationality Congo, Republic of the; DOB 1970", ["CG"]],
  ["nationality Korea, North; citizen Korea, South.", ["KP", "KR"]],
  ["citizen Guinea-Bissau; alt. citizen Guinea", ["GW", "GN"]],
  ["nationality Macedonia, The Former Yugoslav Republic of.", ["MK"]],
  ["citizen Cuba. Simulated remark; nationality Syria", ["CU", "SY"]],
  ["POB Gaza City; nationality Palestinian; Gender Male.", ["PS"]],
])("the remarks %j of OFAC give the countries %j", (remarks, countries) => {
  expect(ofacPerson(remarks).countries).toEqual(countries);
});

test("Canada's records become persons and ships, with ids made of regime, schedule and item", () => {
  const request = firstRequest(sema, plan);
  const record = (fields: string) => `<record><Country>Russia / Russie</Country>${fields}<Item>7</Item></record>`;
  const body = `<data-set>${record("<LastName>Ficta</LastName><GivenName>Simula</GivenName><Schedule>1, Part 1</Schedule><DateOfListing>2026-11-01</DateOfListing><Aliases>Sim; Fic</Aliases>")}${record("<EntityOrShip>Simulada</EntityOrShip><ShipIMONumber>9100000</ShipIMONumber>")}</data-set>`;
  expect(entitiesIn(readBody(sema, request, body))).toEqual([
    {
      id: "sema:russia-1-part-1-7",
      name: "Simula Ficta",
      aliases: ["Sim", "Fic"],
      type: "individual",
      countries: ["RU"],
      programs: ["SEMA"],
      listedAt: Date.UTC(2026, 10, 1),
      note: "Schedule 1, Part 1, item 7",
    },
    expect.objectContaining({ name: "Simulada", type: "vessel" }),
  ]);
});

test("a record of Canada's list that names only a title or ship is a ship, and keeps no title", () => {
  const record = (fields: string) =>
    `<record><Country>Iran</Country>${fields}<Schedule>1</Schedule><Item>7</Item></record>`;
  const read = (fields: string) =>
    readBody(
      sema,
      firstRequest(sema, plan),
      `<data-set>${record("<LastName>Ficta</LastName>")}${record(fields)}</data-set>`,
    );
  expect(entitiesIn(read("<TitleOrShip>Simulada</TitleOrShip>"))[1]).toMatchObject({
    name: "Simulada",
    type: "vessel",
    note: "Schedule 1, item 7",
  });
  expect(entitiesIn(read("<TitleOrShip>General</TitleOrShip><LastName>Ficta</LastName>"))[1]).toMatchObject({
    name: "Ficta",
    type: "individual",
    note: "General; Schedule 1, item 7",
  });
  expect(read("<TitleOrShip> </TitleOrShip>")).toMatchObject({ rowsRead: 2, rowsBad: 1 });
});

test("a person on the UN list has the countries of nationality first, then those of the addresses, each once", () => {
  const individual = (fields: string) =>
    `<INDIVIDUAL><DATAID>7</DATAID><FIRST_NAME>Simula</FIRST_NAME><UN_LIST_TYPE>SIM</UN_LIST_TYPE>${fields}</INDIVIDUAL>`;
  const address = (country: string) => `<INDIVIDUAL_ADDRESS>${country}</INDIVIDUAL_ADDRESS>`;
  const countriesWith = (fields: string) => {
    const body = `<CONSOLIDATED_LIST dateGenerated="2026-11-01T00:00:00Z"><INDIVIDUALS>${individual(fields)}</INDIVIDUALS></CONSOLIDATED_LIST>`;
    return entitiesIn(readBody(unList, firstRequest(unList, plan), body)).map(({ countries }) => countries);
  };
  const mali = address("<COUNTRY>Mali</COUNTRY>");
  expect(countriesWith(mali)).toEqual([["ML"]]);
  expect(countriesWith(`${mali}<NATIONALITY><VALUE>Niger</VALUE></NATIONALITY>${mali}`)).toEqual([["NE", "ML"]]);
  expect(countriesWith(address("") + address("<COUNTRY/>"))).toEqual([undefined]);
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("every recorded row of the OFAC SDN list and of its files of aliases and addresses is read", () => {
    const [primary, aliases, addresses] = requestsOf(ofacSdn, plan);
    if (!primary || !aliases || !addresses) throw new Error("OFAC has three files");
    const body = recorded("ofac-sdn/sdn.csv");
    const reading = readBody(ofacSdn, primary, body);
    const lines = body.split(/\r?\n/).filter((line) => /^\d+,/.test(line));
    expect(reading).toMatchObject({ rowsRead: lines.length, rowsBad: 0 });
    const others = [
      [aliases, recorded("ofac-sdn/alt.csv")],
      [addresses, recorded("ofac-sdn/add.csv")],
    ] as const;
    for (const [request, text] of others) {
      const rows = text.split(/\r?\n/).filter((line) => /^\d+,/.test(line)).length;
      expect(readBody(ofacSdn, request, text)).toMatchObject({ rowsRead: rows, rowsBad: 0 });
    }
  });

  test("every quoted alias in the recorded remarks of OFAC becomes an alias up to its last quote", () => {
    const [primary] = requestsOf(ofacSdn, plan);
    if (!primary) throw new Error("OFAC has three files");
    const served = servedOf(ofacSdn, [[primary, readBody(ofacSdn, primary, recorded("ofac-sdn/sdn.csv"))]]);
    // A note has single spaces only, so the spaces of the aliases are joined before the comparison.
    const cut = served.flatMap(({ name, note = "", aliases = [] }) => {
      const names = new Set([name, ...aliases].map((written) => written.replace(/\s+/g, " ")));
      return note
        .split("; ")
        .flatMap((remark) => /^a\.k\.a\. '(.+)'\.?$/.exec(remark)?.[1] ?? [])
        .filter((alias) => !names.has(alias));
    });
    expect(cut).toEqual([]);
  });

  test("every country of nationality in the recorded remarks of OFAC is recognised", () => {
    const stated = [...recorded("ofac-sdn/sdn.csv").matchAll(/(?:nationality|citizen) ([A-Z][^;."]{2,80})/g)];
    const countryNames = [...new Set(stated.map(([, country = ""]) => country))];
    expect(countryNames.length).toBeGreaterThan(100);
    expect(countryNames.filter((name) => ofacPerson(`nationality ${name}.`).countries === undefined)).toEqual([]);
    expect(ofacPerson("nationality Congo, Democratic Republic of the.").countries).toEqual(["CD"]);
  });

  test("every recorded entry of the OFAC Consolidated list is read with aliases and programmes", () => {
    const [primary] = requestsOf(ofacConsolidated, plan);
    if (!primary) throw new Error("OFAC has three files");
    const reading = readBody(ofacConsolidated, primary, recorded("groups-hazards/ofac-cons/cons_prim.csv"));
    expect(reading.rowsBad).toBe(0);
    const served = servedOf(ofacConsolidated, [[primary, reading]]);
    expect(served.length).toBe(reading.records.length);
    expect(served.find(({ id }) => id === "ofac-consolidated:9647")).toMatchObject({
      name: "ZAHHAR, Mahmoud Khaled",
      aliases: ["ZAHAR, Mahmoud", "AL-ZAHAR, Mahmoud"],
      programs: ["SDGT", "NS-PLC"],
    });
  });

  test("every recorded individual and entity of the UN list is read with programmes and the date of the edition", () => {
    const body = recorded("un-sanctions/UN_consolidated.xml");
    const request = firstRequest(unList, plan);
    const reading = readBody(unList, request, body);
    expect(reading.rowsBad).toBe(0);
    expect(reading.rowsRead).toBe(body.split("<DATAID>").length - 1);
    const served = servedOf(unList, [[request, reading]]);
    expect(served.find(({ id }) => id === "un:6907993")).toEqual(
      expect.objectContaining({
        name: "ERIC BADEGE",
        type: "individual",
        countries: ["CD", "RW"],
        programs: ["DRC"],
        listedAt: Date.UTC(2012, 11, 31),
        publishedAt: Date.parse("2026-02-27T00:00:09.554Z"),
      }),
    );
  });

  test("every recorded country in an address of the UN list is recognised", () => {
    const body = recorded("un-sanctions/UN_consolidated.xml");
    const stated = [...body.matchAll(/<COUNTRY>([^<]+)<\/COUNTRY>/g)].map(([, country = ""]) => country);
    expect(stated.length).toBeGreaterThan(500);
    expect(stated.filter((name) => countryByName(name) === undefined)).toEqual([]);
  });

  test("every recorded individual of the UN list with a country in an address has a country", () => {
    const body = recorded("un-sanctions/UN_consolidated.xml");
    const request = firstRequest(unList, plan);
    const countries = new Map(
      servedOf(unList, [[request, readBody(unList, request, body)]]).map((entry) => [entry.id, entry.countries]),
    );
    const addressed = body
      .split("<INDIVIDUAL>")
      .filter((element) => {
        const addresses = element.split("<INDIVIDUAL_ADDRESS>").slice(1);
        return addresses.some((address) => address.split("</INDIVIDUAL_ADDRESS>")[0]?.includes("<COUNTRY>"));
      })
      .map((element) => `un:${/<DATAID>(\d+)/.exec(element)?.[1]}`);
    expect(addressed.length).toBeGreaterThan(300);
    expect(addressed.filter((id) => countries.get(id) === undefined)).toEqual([]);
  });

  test("the recorded records of Canada's list are read", () => {
    const body = recorded("groups-hazards/ca-sema/sema-lmes.two-records.xml");
    expect(entitiesIn(readBody(sema, firstRequest(sema, plan), body))).toMatchObject([
      { name: "Khazalbek Bakhtibekovich Atabekov", type: "individual", countries: ["BY"] },
      { type: "entity", listedAt: Date.UTC(2023, 5, 30) },
    ]);
  });
});
