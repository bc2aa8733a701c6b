import { type Static, Type } from "typebox";
import type { Immutable } from "../../../contract/write.js";
import { simulatedLabel } from "./members.js";

/* The answers of the paths that describe the service. */

export const Liveness = Type.Object(
  { status: Type.Literal("alive", { description: "The process runs" }) },
  { title: "Liveness" },
);

export const Readiness = Type.Object(
  { status: Type.Literal("ready", { description: "The service answers calls" }) },
  { title: "Readiness" },
);

export const Version = Type.Object(
  {
    name: Type.Literal("vigil", { description: "The product" }),
    version: Type.String({ description: "Version of the service" }),
    contractVersion: Type.String({ description: "Version of the published contract" }),
    store: Type.Enum(["sqlite", "postgres"], { description: "The database" }),
    simulated: simulatedLabel,
  },
  { title: "Version", description: "Versions of the service and its contract." },
);

const address = (of: string) => Type.String({ description: `Path of ${of}` });

export const Start = Type.Object(
  {
    name: Type.Literal("vigil", { description: "The product" }),
    version: Type.String({ description: "Version of the service" }),
    simulated: simulatedLabel,
    forAgents: address("the page for agents"),
    mcp: address("the Model Context Protocol server"),
    openapi: address("the OpenAPI document"),
    reference: address("the reference page"),
    guide: address("the index of the documents"),
    apiCatalog: address("the API catalogue (RFC 9727)"),
    health: address("the compact health"),
    signIn: address("the page that asks for a key"),
  },
  { title: "Start", description: "The addresses of the documents." },
);
export type Start = Immutable<Static<typeof Start>>;

const CatalogueOperation = Type.Object(
  {
    path: Type.String({ description: "Path of the operation" }),
    method: Type.Optional(Type.Enum(["GET", "POST"], { description: "Absent for `contract-only`" })),
    summary: Type.Optional(Type.String({ description: "The operation in one line; absent for `contract-only`" })),
    status: Type.Enum(["served", "contract-only"], {
      description: "`served`: it answers; `contract-only`: it is published but not routed",
    }),
  },
  { title: "CatalogueOperation", description: "An operation of a service group." },
);

const CatalogueGroup = Type.Object(
  {
    name: Type.String({ description: "Name of the group" }),
    service: Type.Optional(
      Type.String({ description: "Path segment of its operations; absent while the group has none" }),
    ),
    description: Type.String({ description: "Subject of the group" }),
    status: Type.Enum(["served", "planned", "contract-only"], {
      description:
        "`served`: it has operations; `planned`: it has none yet; `contract-only`: its operations are published but not routed",
    }),
    operations: Type.Array(CatalogueOperation, { description: "Operations of the group" }),
  },
  { title: "CatalogueGroup", description: "A service group with its operations." },
);

export const Catalogue = Type.Object(
  {
    groups: Type.Array(CatalogueGroup, { description: "The groups in the order of the contract" }),
    companyMonitoring: CatalogueGroup,
    simulated: simulatedLabel,
  },
  { title: "Catalogue", description: "Every service group with its operations." },
);

const ProofKey = Type.Object(
  {
    kty: Type.Literal("OKP", { description: "Type of the key (RFC 8037)" }),
    crv: Type.Literal("Ed25519", { description: "Curve" }),
    x: Type.String({ description: "The public key, base64url" }),
    kid: Type.String({ description: "Id of the key, as in `keyId` of a signed log head and `keyid` of a signature" }),
    alg: Type.Literal("EdDSA", { description: "Algorithm" }),
    use: Type.Literal("sig", { description: "The key verifies signatures" }),
    validFrom: Type.Integer({ format: "int64", description: "Start of the period in which the key signs; epoch ms" }),
    validUntil: Type.Integer({ format: "int64", description: "End of the period in which the key signs; epoch ms" }),
  },
  { title: "ProofKey", description: "A public key as a JSON Web Key." },
);

export const ProofKeys = Type.Object(
  { keys: Type.Array(ProofKey, { description: "Every key that has ever signed" }) },
  { title: "ProofKeys", description: "A JSON Web Key Set (RFC 7517)." },
);

const TokenKey = Type.Object(
  {
    kty: Type.Literal("EC", { description: "Type of the key" }),
    crv: Type.String({ description: "Curve" }),
    x: Type.String({ description: "First coordinate, base64url" }),
    y: Type.String({ description: "Second coordinate, base64url" }),
    kid: Type.String({ description: "Id of the key, as in the header of a token" }),
    alg: Type.String({ description: "Algorithm" }),
    use: Type.Literal("sig", { description: "The key verifies signatures" }),
  },
  { title: "TokenKey", description: "A public key as a JSON Web Key." },
);

export const TokenKeys = Type.Object(
  { keys: Type.Array(TokenKey, { description: "The active keys, newest first" }) },
  { title: "TokenKeys", description: "A JSON Web Key Set (RFC 7517)." },
);

const CatalogLink = Type.Object(
  {
    href: Type.String({ description: "Address" }),
    type: Type.String({ description: "Media type" }),
  },
  { title: "CatalogLink", description: "A link to a description of the API." },
);

const links = (description: string) => Type.Array(CatalogLink, { description });

export const ApiCatalog = Type.Object(
  {
    linkset: Type.Array(
      Type.Object({
        anchor: Type.String({ description: "Address of the API" }),
        "service-desc": links("The OpenAPI document"),
        "service-doc": links("Documents for people and agents"),
        "service-meta": links("The service groups"),
        status: links("The health of the service"),
      }),
      { description: "Links by relation (RFC 9264)" },
    ),
  },
  { title: "ApiCatalog", description: "A linkset (RFC 9727)." },
);

const anyMembers = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const OpenApi = Type.Object(
  {
    openapi: Type.Literal("3.1.0", { description: "Version of the format" }),
    info: anyMembers("Title, version and licence"),
    servers: Type.Array(anyMembers("A server"), { description: "This service" }),
    security: Type.Array(anyMembers("A scheme"), { description: "Ways to send a key" }),
    tags: Type.Array(anyMembers("A service group"), { description: "The service groups" }),
    paths: anyMembers("Every call by its path"),
    webhooks: Type.Optional(anyMembers("Every webhook message by its event")),
    components: anyMembers("Schemas, parameters, headers and responses that calls share"),
  },
  { title: "OpenApi", description: "An OpenAPI document." },
);
