import { countryName } from "../../../geography/countries.js";
import { countryCentres } from "../../../geography/country-centres.js";
import { places } from "../../../simulator/models/places.js";
import { rememberPerSeed, streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** Simulates UNHCR: serves the population figures of a requested year by country of origin and of asylum. */
export const upstream = simulatedUpstream({
  name: "unhcr",
  routes: [
    {
      host: "api.unhcr.org",
      path: "/population/v1/population/",
      handle: answerYear,
      variants: {
        changed: (json) => json.replace('"items":', '"rows":'),
        empty: (json) => json.replace(/"items":\[.*\]/s, '"items":[]'),
        badRow: (json) => rewriteMiddle(json, /"refugees":[^,]*/g, () => '"refugees":"abc"'),
      },
    },
  ],
});

const FIRST_YEAR = 1951;

function answerYear({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const year = Number(url.searchParams.get("year"));
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const page = Number(url.searchParams.get("page") ?? 1);
  // The figures for a year are published in mid-June of the next year.
  const isPublished = year >= FIRST_YEAR && Date.UTC(year + 1, 5, 14) <= clock.now();
  const rows = isPublished ? rowsOf(seed)(year) : [];
  const items = rows.slice((page - 1) * limit, page * limit);
  const body = JSON.stringify({ page, "short-url": "", maxPages: Math.ceil(rows.length / limit), total: [], items });
  return { status: 200, contentType: "application/json; charset=utf-8", body };
}

interface Side {
  readonly code: string;
  readonly name: string;
}

/**
 * The host countries. There are more hosts than countries of origin. Hosts that are not in the model of places have
 * made-up codes.
 */
const hosts: readonly Side[] = Object.keys(countryCentres)
  .slice(0, 150)
  .map((alpha2) => {
    const place = places.find((place) => place.alpha2 === alpha2);
    return { code: place?.alpha3 ?? `X${alpha2}`, name: countryName(alpha2) ?? alpha2 };
  });

const rowsOf = rememberPerSeed((seed) => {
  const years = new Map<number, readonly object[]>();
  return (year: number): readonly object[] => {
    const rows = years.get(year) ?? [...moved(seed, year), ...stayed(seed, year), ...stateless(seed, year)];
    years.set(year, rows);
    return rows;
  };
});

const NOWHERE: Side = { code: "-", name: "-" };
/** The origin of nearly all stateless people. */
const STATELESS: Side = { code: "XXA", name: "Stateless" };

function item(year: number, origin: Side, asylum: Side, counts: Readonly<Record<string, number | string>>): object {
  return {
    year,
    coo_id: 1,
    coo_name: origin.name,
    coo: origin.code,
    coo_iso: origin.code,
    coa_id: 2,
    coa_name: asylum.name,
    coa: asylum.code,
    coa_iso: asylum.code,
    refugees: 0,
    asylum_seekers: 0,
    returned_refugees: 0,
    idps: "0",
    returned_idps: "0",
    stateless: 0,
    ooc: "0",
    oip: "-",
    hst: "0",
    ...counts,
  };
}

/** Creates rows of refugees and asylum seekers. Counts are numbers or strings, as in the real answers. */
function moved(seed: number, year: number): readonly object[] {
  return places.flatMap((origin) => {
    const random = streamFor(seed, `unhcr ${year} ${origin.alpha3}`);
    const scale = 10 ** (2 + 3.5 * random());
    return Array.from({ length: 35 }, () => {
      const asylum = hosts[Math.floor(random() * hosts.length)] ?? NOWHERE;
      const [refugees, seekers] = [Math.floor(scale * random() ** 4), Math.floor((scale / 8) * random() ** 3)];
      return item(year, { code: origin.alpha3, name: origin.name }, asylum, {
        refugees: random() < 0.3 ? String(refugees) : refugees,
        asylum_seekers: random() < 0.3 ? String(seekers) : seekers,
        idps: random() < 0.5 ? "-" : 0,
      });
    });
  });
}

function stayed(seed: number, year: number): readonly object[] {
  return places.slice(0, 40).map((place) => {
    const side = { code: place.alpha3, name: place.name };
    const idps = Math.floor(3e6 * streamFor(seed, `idps ${year} ${place.alpha3}`)() ** 3);
    return item(year, side, side, { idps: String(idps) });
  });
}

function stateless(seed: number, year: number): readonly object[] {
  return places.slice(0, 30).map((place, index) => {
    const count = Math.floor(2e5 * streamFor(seed, `stateless ${year} ${place.alpha3}`)() ** 3);
    return item(
      year,
      index % 10 === 9 ? NOWHERE : STATELESS,
      { code: place.alpha3, name: place.name },
      { stateless: count },
    );
  });
}
