import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { alpha2 } from "../../../geography/countries.js";
import type { FeedTier } from "../digest-records.js";
import { type DigestVariant, digestVariants, isDigestVariant } from "./digest-variants.js";

/**
 * The tier rule, by kind of publisher:
 *
 * 1. wire services, governments and international bodies, which publish first-hand;
 * 2. major outlets, national or international;
 * 3. specialist outlets;
 * 4. all others.
 *
 * A tier measures how close a publisher is to events and how widely others rely on it. It does not measure
 * independence: a state news agency has tier 1 too. The risk profile covers independence.
 */
const tierOfKind = {
  wire: 1,
  government: 1,
  international: 1,
  major: 2,
  specialist: 3,
  other: 4,
} as const satisfies Record<string, FeedTier>;

export type FeedKind = keyof typeof tierOfKind;

export const feedKinds = Object.keys(tierOfKind) as readonly FeedKind[]; // Object.keys returns string[].

export const riskProfiles = ["low", "medium", "high", "unknown"] as const;

const SLUG = "^[a-z0-9]+(?:-[a-z0-9]+)*$";
const slugs = "lower-case letters and digits, separated by single hyphens";

const Address = Type.Refine(
  Type.String({ maxLength: 1_000, description: "an http or https address without a user" }),
  (value) => typeof value === "string" && isAddress(value),
);

const Country = Type.Refine(
  Type.String({ description: "an ISO 3166-1 alpha-2 code such as GB" }),
  (value) => typeof value === "string" && /^[A-Z]{2}$/.test(value) && alpha2(value) === value,
);

const variants = Object.keys(digestVariants) as readonly DigestVariant[]; // Object.keys returns string[].

const Placement = Type.Object({
  variant: Type.Enum([...variants], { description: `one of ${variants.join(", ")}` }),
  category: Type.String({ description: "a category of the variant" }),
});

const Risk = Type.Object({
  profile: Type.Enum([...riskProfiles], { description: `one of ${riskProfiles.join(", ")}` }),
  reason: Type.Optional(Type.String({ minLength: 10, maxLength: 300, description: "a text of 10 to 300 characters" })),
});

/** A feed as written in a list. Each description completes the error message "<member> must be …". */
export const FeedRow = Type.Object({
  id: Type.String({ pattern: SLUG, maxLength: 60, description: `${slugs}, such as bbc-world` }),
  publisher: Type.String({ minLength: 1, maxLength: 100, description: "the publisher's name" }),
  family: Type.String({
    pattern: SLUG,
    maxLength: 60,
    description: `${slugs}, shared by all publishers of one owner`,
  }),
  homepage: Address,
  url: Address,
  country: Country,
  language: Type.Optional(
    Type.String({
      pattern: "^(?!en$)[a-z]{2}$",
      description: "an ISO 639-1 code such as fr, or omitted for English",
    }),
  ),
  byDefault: Type.Optional(
    Type.Boolean({ description: "true if the feed is selected for every language, else false" }),
  ),
  kind: Type.Enum([...feedKinds], { description: `one of ${feedKinds.join(", ")}` }),
  risk: Risk,
  placements: Type.Array(Placement, { minItems: 1, description: "a list of at least one variant and category" }),
});

export type FeedRow = Static<typeof FeedRow>;

/** A feed of the catalogue. */
export interface Feed extends FeedRow {
  readonly tier: FeedTier;
  /** True if the texts and pictures of all its stored entries are kept. */
  readonly hasAllTexts?: true;
  /** True if its licence allows redistribution of its entries, including commercial use. */
  readonly isOpen?: true;
  /** States whether the tier rule or the operator's overrides set the tier. */
  readonly tierSetBy: "rule" | "operator";
}

/** Returns the tier that the rule assigns to a kind of publisher. */
export function tierOf(kind: FeedKind): FeedTier {
  return tierOfKind[kind];
}

/** Adds the tier to a row. */
export function feedOf(row: FeedRow): Feed {
  return { ...row, tier: tierOf(row.kind), tierSetBy: "rule" };
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\/\S+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

type Members = Readonly<Record<string, TSchema>>;

/** All members except `risk` and `placements`, whose problems are listed by functions of their own. */
const { risk: _risk, placements: _placements, ...plainMembers } = FeedRow.properties;

/** Lists the problems of a row, one sentence each, in the order of the members. A valid row has none. */
export function problemsOfRow(row: unknown): readonly string[] {
  if (!isRecord(row)) return [`must be an object with ${names(FeedRow.properties)}, got ${shown(row)}`];
  const { risk, placements } = row;
  return [
    ...unknownMembers(row, FeedRow.properties, ""),
    ...problemsOfMembers(row, plainMembers, ""),
    ...problemsOfRisk(risk),
    ...problemsOfPlacements(placements),
  ];
}

function problemsOfRisk(risk: unknown): readonly string[] {
  if (!isRecord(risk)) return [`risk must be an object with ${names(Risk.properties)}, got ${shown(risk)}`];
  const wrong = [
    ...unknownMembers(risk, Risk.properties, "risk."),
    ...problemsOfMembers(risk, Risk.properties, "risk."),
  ];
  if (wrong.length > 0 || risk["profile"] === "unknown" || risk["reason"] !== undefined) return wrong;
  return [
    `risk.reason must say why the profile is ${risk["profile"]}; a reason is required unless the profile is 'unknown'`,
  ];
}

function problemsOfPlacements(placements: unknown): readonly string[] {
  if (!Array.isArray(placements) || placements.length === 0) {
    return [`placements must be a list of at least one variant and category, got ${shown(placements)}`];
  }
  const wrong = placements.flatMap((placement, index) => problemsOfPlacement(placement, `placements[${index}]`));
  if (wrong.length > 0) return wrong;
  const places = (placements as Static<typeof FeedRow>["placements"]).map((at) => `${at.variant}/${at.category}`);
  const repeated = places.filter((place, index) => places.indexOf(place) !== index);
  return repeated.map((place) => `placements must name a category once, got ${place} again`);
}

function problemsOfPlacement(placement: unknown, path: string): readonly string[] {
  const { variant: variantMember } = Placement.properties;
  if (!isRecord(placement)) {
    return [`${path} must be an object with ${names(Placement.properties)}, got ${shown(placement)}`];
  }
  const { variant, category } = placement;
  const wrong = unknownMembers(placement, Placement.properties, `${path}.`);
  if (typeof variant !== "string" || !isDigestVariant(variant)) {
    return [...wrong, problemOf(`${path}.variant`, variantMember, variant)];
  }
  const categories: readonly unknown[] = digestVariants[variant];
  if (categories.includes(category)) return wrong;
  return [
    ...wrong,
    `${path}.category must be a category of ${variant} (${categories.join(", ")}), got ${shown(category)}`,
  ];
}

function unknownMembers(value: object, members: Members, path: string): readonly string[] {
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  return unknown.map((name) => `${path}${name} is an unknown member; the known members are ${names(members)}`);
}

function problemsOfMembers(value: Readonly<Record<string, unknown>>, members: Members, path: string): string[] {
  return Object.entries(members).flatMap(([name, schema]) => {
    const isLeftAway = !Object.hasOwn(value, name) && Type.IsOptional(schema);
    const isRight = isLeftAway || Value.Check(schema, value[name]);
    return isRight ? [] : [problemOf(`${path}${name}`, schema, value[name])];
  });
}

/** Returns the message for a value that its schema rejects. */
export function problemOf(path: string, schema: TSchema, value: unknown): string {
  const right = "description" in schema ? schema.description : "as the documentation says";
  return `${path} must be ${right}, got ${shown(value)}`;
}

const names = (members: Members): string => Object.keys(members).join(", ");

/** Formats a value for messages: shortened JSON without the user part of addresses, since messages are logged. */
export function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? "nothing").replace(/\/\/[^/@\s"]*@/g, "//…@");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
