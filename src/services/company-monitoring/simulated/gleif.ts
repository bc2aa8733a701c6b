import { DAY_MS } from "../../../kit/clock.js";
import { REGISTRANTS, type Registrant, registrantAt } from "../../../simulator/models/registrants.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** GLEIF's records of legal entities as JSON:API, with many explicit nulls. */
export const upstream = simulatedUpstream({
  name: "gleif",
  routes: [
    {
      host: "api.gleif.org",
      path: "/api/v1/lei-records",
      handle: answerRecords,
      variants: {
        changed: (json) => json.replace('"data":[', '"records":['),
        empty: (json) => json.replace(/"data":\[[\s\S]*\]\}$/, '"data":[]}'),
        badRow: (json) => rewriteMiddle(json, /"lastUpdateDate":"[^"]*"/g, () => '"lastUpdateDate":"lately"'),
      },
    },
  ],
});

const FILTER_LEI = "filter[lei]";
const FILTER_NAME = "filter[entity.legalName]";
const COUNTRIES = ["US", "US", "US", "CA", "GB", "DE", "JP"];

function answerRecords({ url, clock }: SimulatedRequest): SimulatedAnswer {
  const leis = url.searchParams.get(FILTER_LEI)?.split(",") ?? [];
  const name = url.searchParams.get(FILTER_NAME)?.toLowerCase() ?? "";
  const sizeMax = Number(url.searchParams.get("page[size]") ?? 10);
  const matches = leis.length > 0 ? leis.flatMap(indexOf) : name === "" ? [] : withName(name);
  const shown = matches.slice(0, sizeMax);
  const body = JSON.stringify({
    meta: {
      goldenCopy: { publishDate: new Date(clock.now()).toISOString().replace(/T.*/, "T00:00:00Z") },
      pagination: { currentPage: 1, perPage: sizeMax, from: 1, to: shown.length, total: matches.length, lastPage: 1 },
    },
    links: { first: url.href, last: url.href },
    data: shown.map((index) => recordOf(index, registrantAt(index), clock.now())),
  });
  return { status: 200, contentType: "application/vnd.api+json", body };
}

function withName(name: string): readonly number[] {
  return Array.from({ length: REGISTRANTS }, (_, index) => index).filter((index) =>
    registrantAt(index).name.toLowerCase().includes(name),
  );
}

/**
 * Returns the position of an identifier in the simulated register, as a list of one. The list is empty for an
 * identifier that this simulator does not issue.
 */
function indexOf(lei: string): readonly number[] {
  const index = Number(/^VIGILSIMLEI0(\d{6})\d{2}$/.exec(lei)?.[1]);
  return Number.isInteger(index) && index < REGISTRANTS && leiOf(index) === lei ? [index] : [];
}

/** Returns an identifier with the check digits of ISO 17442. */
function leiOf(index: number): string {
  const stem = `VIGILSIMLEI0${String(index).padStart(6, "0")}`;
  const digits = [...stem, "0", "0"].map((letter) => String(Number.parseInt(letter, 36))).join("");
  return `${stem}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}`;
}

function recordOf(index: number, { name }: Registrant, now: number) {
  const country = COUNTRIES[index % COUNTRIES.length] ?? "US";
  const address = {
    language: "en",
    addressLines: ["1 Simulated Street"],
    addressNumber: null,
    mailRouting: null,
    city: "Simulated",
    region: null,
    country,
    postalCode: null,
  };
  const lei = leiOf(index);
  const isLapsed = index % 9 === 4;
  return {
    type: "lei-records",
    id: lei,
    attributes: {
      lei,
      entity: {
        legalName: { name, language: "en" },
        otherNames: [{ name: `FORMERLY ${name}`, language: "en", type: "PREVIOUS_LEGAL_NAME" }],
        transliteratedOtherNames: [],
        legalAddress: address,
        headquartersAddress: index % 4 === 1 ? { ...address, country: "IE" } : address,
        registeredAs: null,
        jurisdiction: country,
        category: "GENERAL",
        associatedEntity: { lei: null, name: null },
        status: isLapsed ? "INACTIVE" : "ACTIVE",
        expiration: { date: null, reason: null },
      },
      registration: {
        initialRegistrationDate: "2012-06-06T15:53:00Z",
        lastUpdateDate: `${new Date(now - DAY_MS * (1 + (index % 300))).toISOString().slice(0, 10)}T16:34:33Z`,
        status: isLapsed ? "LAPSED" : "ISSUED",
        managingLou: "5493001KJTIIGC8Y1R12",
        corroborationLevel: "FULLY_CORROBORATED",
      },
      bic: null,
      mic: null,
    },
    relationships: {
      "direct-parent": { links: { "reporting-exception": `https://api.gleif.org/api/v1/lei-records/${lei}/x` } },
    },
    links: { self: `https://api.gleif.org/api/v1/lei-records/${lei}` },
  };
}
