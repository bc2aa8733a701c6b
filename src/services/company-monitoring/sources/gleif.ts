import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { OnDemandRead } from "../../../contract/on-demand.js";
import { BadRow, SourceFailure, source, step } from "../../../contract/source.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { isoInstant } from "../../../kit/iso-instant.js";

/** An entity in the register of legal entity identifiers. */
export interface LeiRecord {
  readonly lei: string;
  readonly legalName: string;
  /** Former, trading and transliterated names. */
  readonly otherNames: readonly string[];
  /** Alpha-2 codes; absent if the register states none. */
  readonly legalAddressCountry?: string;
  readonly headquartersCountry?: string;
  /** Such as `ACTIVE` or `INACTIVE`; absent if the register states none. */
  readonly entityStatus?: string;
  /** Such as `ISSUED`, `LAPSED` or `RETIRED`. */
  readonly registrationStatus: string;
  /** Epoch ms. */
  readonly updatedAt: number;
}

/** The entities to read: those with these identifiers, or with this legal name. */
export type LeiQuery = { readonly leis: readonly string[] } | { readonly legalName: string };

const LEIS_PER_REQUEST = 50;
const NAME_CHARACTERS_MAX = 200;
const LEI = /^[A-Z0-9]{18}\d{2}$/;
/** The publisher allows 60 requests a minute. */
const SPACING_MS = SECOND_MS;

const Text = Type.Union([Type.String(), Type.Null()]);
const Names = Type.Optional(Type.Union([Type.Array(Type.Object({ name: Type.String() })), Type.Null()]));
const Address = Type.Optional(Type.Union([Type.Object({ country: Type.Optional(Text) }), Type.Null()]));
const Entity = Type.Object({
  legalName: Type.Object({ name: Type.String({ minLength: 1, maxLength: 500 }) }),
  otherNames: Names,
  transliteratedOtherNames: Names,
  legalAddress: Address,
  headquartersAddress: Address,
  status: Type.Optional(Text),
});

/** Records of the Global LEI Foundation. Entities missing from the register are omitted. */
export const gleifLeiRecords = source({
  id: "gleif-lei-records",
  title: "GLEIF, legal entity identifiers",
  home: "https://www.gleif.org/en/lei-data/gleif-api",
  seen: "recorded",
  licence: {
    name: "CC0",
    url: "https://www.gleif.org/en/meta/lei-data-terms-of-use",
    attribution: "Global Legal Entity Identifier Foundation (GLEIF)",
    open: true,
  },
  steps: {
    records: step({
      ask: requestsOf,
      request: (query: LeiQuery) => ({
        key: "leis" in query ? `${query.leis.length} from ${query.leis[0]}` : query.legalName,
        url: `https://api.gleif.org/api/v1/lei-records?${searchOf(query)}`,
        headers: { accept: "application/vnd.api+json" },
        spacingMs: SPACING_MS,
      }),
      format: { kind: "json" },
      row: Type.Object({
        attributes: Type.Object({
          lei: Type.String({ pattern: LEI.source }),
          entity: Entity,
          registration: Type.Object({ status: Type.String(), lastUpdateDate: Type.String() }),
        }),
      }),
      rows(document) {
        if (!Value.Check(Type.Object({ data: Type.Array(Type.Unknown()) }), document)) {
          throw new SourceFailure("changed", "expected a JSON:API document with a list as data");
        }
        return document.data;
      },
      record: ({ attributes: { lei, entity, registration } }): LeiRecord => {
        const { legalName, legalAddress, headquartersAddress, status } = entity;
        const updatedAt = isoInstant(registration.lastUpdateDate);
        if (updatedAt === undefined) throw new BadRow(`"${registration.lastUpdateDate.slice(0, 40)}" is not a time`);
        return {
          lei,
          legalName: legalName.name,
          otherNames: namesOf(entity),
          ...(legalAddress?.country && { legalAddressCountry: legalAddress.country }),
          ...(headquartersAddress?.country && { headquartersCountry: headquartersAddress.country }),
          ...(status && { entityStatus: status }),
          registrationStatus: registration.status,
          updatedAt,
        };
      },
      rowsMin: 0,
    }),
  },
  observedAt: () => undefined,
});

/** Reads the register when `identityJob` looks up a company. The register changes once a day. */
export const leiRecords: OnDemandRead<LeiQuery, LeiRecord> = {
  name: "legal entity identifiers",
  source: gleifLeiRecords,
  ttlMs: DAY_MS,
  missTtlMs: 6 * HOUR_MS,
  errorTtlMs: MINUTE_MS,
  staleWhileErrorMs: 7 * DAY_MS,
  timeLimitMs: 30 * SECOND_MS,
  asksTwice: true,
  plan(query): LeiQuery | undefined {
    if ("leis" in query) {
      const leis = [...new Set(query.leis.map((lei) => lei.trim().toUpperCase()))]
        .filter((lei) => LEI.test(lei))
        .sort();
      return leis.length === 0 ? undefined : { leis };
    }
    const legalName = query.legalName.trim().slice(0, NAME_CHARACTERS_MAX);
    return legalName === "" ? undefined : { legalName };
  },
};

/** Splits identifiers into requests of at most 50 each. A search by name is a single request. */
function requestsOf(query: LeiQuery): readonly LeiQuery[] {
  if (!("leis" in query)) return [query];
  const starts = Array.from({ length: Math.ceil(query.leis.length / LEIS_PER_REQUEST) }, (_, index) => index);
  return starts.map((start) => ({
    leis: query.leis.slice(start * LEIS_PER_REQUEST, (start + 1) * LEIS_PER_REQUEST),
  }));
}

function searchOf(query: LeiQuery): string {
  const filter =
    "leis" in query ? { "filter[lei]": query.leis.join(",") } : { "filter[entity.legalName]": query.legalName };
  return new URLSearchParams({ ...filter, "page[size]": String(LEIS_PER_REQUEST) }).toString();
}

function namesOf({ legalName, otherNames, transliteratedOtherNames }: Static<typeof Entity>): readonly string[] {
  const names = [...(otherNames ?? []), ...(transliteratedOtherNames ?? [])].map(({ name }) => name.trim());
  return [...new Set(names)].filter((name) => name !== "" && name !== legalName.name);
}
