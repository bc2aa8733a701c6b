import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { query } from "../../../../contract/auth.js";
import { LeftOut, type Licence, SourceFailure, source, step } from "../../../../contract/source.js";
import { alpha2, countryCentre } from "../../../../geography/countries.js";
import { memberOf } from "../../../../kit/member-of.js";
import type { DisasterStatus, DisasterType, StoredDisaster } from "../../records.js";
import { instantOf } from "../instant.js";

export const reliefWebLicence: Licence = {
  name: "Reuse with credit to the source",
  url: "https://reliefweb.int/terms-conditions",
  attribution: "ReliefWeb, UN OCHA, and the sources it names",
  open: true,
};

export const reliefWebAuth = query("appname", {
  variable: "RELIEFWEB_APPNAME",
  description: "App name approved by ReliefWeb; without it, ReliefWeb's disasters and reports are left out",
});

const typeOf: Readonly<Record<string, DisasterType>> = {
  FL: "flood",
  TC: "cyclone",
  DR: "drought",
  HT: "heatwave",
  WF: "wildfire",
};

const statusOf: Readonly<Record<string, DisasterStatus>> = {
  alert: "alert",
  current: "ongoing",
  ongoing: "ongoing",
  past: "past",
};

const Country = Type.Object({
  name: Type.String(),
  iso3: Type.String(),
  primary: Type.Optional(Type.Boolean()),
  location: Type.Optional(Type.Object({ lat: Type.Number(), lon: Type.Number() })),
});

const Disaster = Type.Object({
  id: Type.String({ minLength: 1 }),
  fields: Type.Object({
    name: Type.String({ minLength: 1 }),
    status: Type.String(),
    date: Type.Object({ event: Type.Optional(Type.String()), created: Type.Optional(Type.String()) }),
    country: Type.Optional(Type.Array(Country)),
    type: Type.Array(Type.Object({ code: Type.Optional(Type.String()), primary: Type.Optional(Type.Boolean()) })),
    url: Type.Optional(Type.String()),
  }),
});

/** Body of the request for both versions of the API. */
const question = JSON.stringify({
  limit: 250,
  sort: ["date.event:desc"],
  filter: {
    operator: "AND",
    conditions: [
      { field: "status", value: ["alert", "current", "ongoing"], operator: "OR" },
      { field: "type.code", value: Object.keys(typeOf), operator: "OR" },
    ],
  },
  fields: {
    include: [
      "id",
      "name",
      "status",
      "date.event",
      "date.created",
      "country.name",
      "country.iso3",
      "country.primary",
      "country.location",
      "type.code",
      "type.primary",
      "url",
    ],
  },
});

/** Disasters that ReliefWeb follows, from one version of its API. */
const reliefWebDisasters = (version: "v1" | "v2") =>
  source({
    id: `reliefweb-disasters-${version}`,
    title: `ReliefWeb API ${version}, disasters`,
    home: "https://apidoc.reliefweb.int/",
    seen: "described",
    licence: reliefWebLicence,
    auth: reliefWebAuth,
    steps: {
      disasters: step({
        request: () => ({
          key: "disasters",
          url: `https://api.reliefweb.int/${version}/disasters`,
          body: question,
        }),
        format: { kind: "json" },
        row: Disaster,
        rows: (document) => reliefWebData(document),
        record: disasterOf,
      }),
    },
    recordsMin: 0,
    observedAt: ({ observedAt }) => observedAt,
  });

export const reliefWebV2 = reliefWebDisasters("v2");
export const reliefWebV1 = reliefWebDisasters("v1");

const Envelope = Type.Object({ data: Type.Array(Type.Unknown()) });

export function reliefWebData(document: unknown): readonly unknown[] {
  if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", "expected an object with data[]");
  return document.data;
}

function disasterOf({ id, fields }: Static<typeof Disaster>): StoredDisaster | LeftOut {
  const kind = fields.type.toSorted((a, b) => Number(b.primary ?? false) - Number(a.primary ?? false));
  const type = kind.map(({ code }) => memberOf(typeOf, code ?? "")).find((candidate) => candidate !== undefined);
  const status = memberOf(statusOf, fields.status);
  const country = fields.country?.find(({ primary }) => primary === true) ?? fields.country?.[0];
  const startedAt = instantOf(fields.date.event ?? fields.date.created ?? "");
  if (!type) return new LeftOut("other kind of event");
  if (!status) return new LeftOut("unknown status");
  if (!country) return new LeftOut("no country");
  const countryCode = alpha2(country.iso3);
  const centre = country.location
    ? { latitude: country.location.lat, longitude: country.location.lon }
    : countryCentre(country.iso3);
  return {
    id: `reliefweb-${id}`,
    type,
    name: fields.name,
    country: country.name,
    ...(countryCode !== undefined && { countryCode }),
    ...(centre && { lat: centre.latitude, lng: centre.longitude }),
    severity: status === "alert" ? "high" : "medium",
    status,
    startedAt,
    source: "ReliefWeb",
    ...(fields.url !== undefined && /^https?:\/\//.test(fields.url) && { sourceUrl: fields.url }),
    observedAt: startedAt,
  };
}
