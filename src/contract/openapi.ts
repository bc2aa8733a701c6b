import type { TSchema } from "typebox";
import type { RegisteredAccountRead } from "./account-read.js";
import { type FurtherFormat, furtherFormats, furtherFormatsOf } from "./answer-format.js";
import { answerSchema } from "./answer-schema.js";
import {
  accountReadFailures,
  linkedFeedFailures,
  operationFailures,
  platformFailures,
  streamFailures,
  writeFailures,
} from "./expected-failures.js";
import { errorSchemas, type FailureName, ProblemDetails } from "./failures.js";
import { feedFormatNames } from "./feed.js";
import {
  frameParameters,
  frameParametersOf,
  frameParametersOfAccounts,
  frameParametersOfFeeds,
} from "./frame-parameters.js";
import type { RegisteredLinkedFeed } from "./linked-feed.js";
import { type ErrorResponses, errorResponses } from "./openapi/error-responses.js";
import {
  dataHeaderNames,
  deprecatedNames,
  idempotencyParameter,
  jmespathParameter,
  lastEventIdParameter,
  minGenerationParameter,
  notModified,
  Projected,
  rowHeaderNames,
  securitySchemes,
} from "./openapi/fixed-components.js";
import { hoisted, hoistedParts, plain } from "./openapi/hoisted.js";
import { headerRefs, responseHeaders } from "./openapi/response-headers.js";
import { type SharedParameters, sharedParameters } from "./openapi/shared-parameters.js";
import { webhookParameters, webhookSection } from "./openapi/webhook-section.js";
import { type RegisteredOperation, readsDatasets } from "./operation.js";
import type { QueryField, QueryFields } from "./query-field.js";
import type { AnyRowList } from "./row-list.js";
import type { RegisteredGroup } from "./service-group.js";
import type { RegisteredStream, Stream } from "./stream.js";
import { isOpen, type RegisteredWrite } from "./write.js";

type Json = Readonly<Record<string, unknown>>;

/** One query parameter of a platform path. */
interface PlatformParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  readonly required?: true;
}

/** The documentation of a path that is not an operation of the contract. */
export interface PlatformPath {
  readonly path: string;
  /** Default: get. A POST takes any JSON. */
  readonly method?: "post";
  /** Short and stable, because client generators name their methods after it. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly isOpen: boolean;
  readonly contentType: string;
  /** The schema of its answers. Absent for pages, plain text and messages of another protocol. */
  readonly answer?: TSchema;
  readonly parameters?: readonly PlatformParameter[];
  /** The member of its answers that contains the rows of a paged list. */
  readonly rows?: string;
  /** Failures of this path, in addition to those that every path can have. */
  readonly failures?: readonly FailureName[];
  /** Answers of another protocol, besides the 200 and the failures. */
  readonly furtherAnswers?: readonly FurtherAnswer[];
}

interface FurtherAnswer {
  readonly status: number;
  readonly description: string;
  /** Absent for an answer without a body. */
  readonly schema?: TSchema;
}

export interface OpenApiInput {
  readonly groups: readonly RegisteredGroup[];
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly streams: readonly RegisteredStream[];
  readonly linkedFeeds: readonly RegisteredLinkedFeed[];
  readonly writes: readonly RegisteredWrite[];
  readonly platform: readonly PlatformPath[];
  readonly version: string;
  readonly wireName: (field: string) => string;
  /** A real answer of each path; a path without one is documented without an example. */
  readonly examples: ReadonlyMap<string, unknown>;
}

/** The components that operations share. */
interface Shared {
  readonly schemas: Record<string, unknown>;
  readonly errors: ErrorResponses;
  readonly parameters: SharedParameters;
  /** The answers of platform paths by content type. */
  readonly documents: Record<string, Json>;
  readonly examples: ReadonlyMap<string, unknown>;
  readonly wireName: (field: string) => string;
}

const keySchemes: readonly Json[] = [{ ServiceKey: [] }, { ApiKeyHeader: [] }, { Session: [] }];

/** The OpenAPI 3.1 document of everything that is served. */
export function openApiDocument(input: OpenApiInput): Json {
  const { operations, accountReads, streams, linkedFeeds, writes, platform, version } = input;
  const frame = { jmespath: jmespathParameter, ...frameComponents(input.wireName) };
  const shared: Shared = {
    schemas: { ...errorSchemas, ProblemDetails, Projected },
    errors: errorResponses(),
    parameters: sharedParameters(
      [
        ...operations.map(({ operation }) => queryParameters(operation, input.wireName)),
        ...accountReads.map(({ read }) => queryParameters(read, input.wireName)),
        ...streams.map(({ stream }) => streamParameters(stream, input.wireName)),
        ...linkedFeeds.map(({ feed }) => queryParameters(feed, input.wireName)),
        ...platform.map(platformParameters),
      ],
      frame,
    ),
    documents: {},
    examples: input.examples,
    wireName: input.wireName,
  };
  const paths: Record<string, unknown> = {};
  for (const registered of operations) paths[registered.path] = { get: operationObject(registered, shared) };
  for (const registered of writes) {
    paths[registered.path] = { ...pageObject(registered, shared), post: writeObject(registered, shared) };
  }
  for (const registered of accountReads) paths[registered.path] = { get: accountReadObject(registered, shared) };
  for (const registered of streams) paths[registered.path] = { get: streamObject(registered, shared) };
  for (const registered of linkedFeeds) paths[registered.path] = { get: linkedFeedObject(registered, shared) };
  for (const path of platform) paths[path.path] = { [path.method ?? "get"]: platformObject(path, shared) };
  // Every log has a stream, so the streams lead to every log.
  const logs = [...new Set(streams.map(({ stream }) => stream.log))];
  const webhooks = webhookSection(logs, (schema) => hoisted(schema, shared.schemas));
  return {
    openapi: "3.1.0",
    info: {
      title: "Vigil",
      version,
      description:
        "Public monitoring data as versioned snapshots with provenance. `X-Vigil-State` on every data answer distinguishes an outage from an empty result. A value that is unknown is absent.",
      contact: { name: "The operator of this service" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This service" }],
    security: keySchemes,
    tags: tagsOf(input),
    paths,
    ...(logs.length > 0 && { webhooks }),
    components: {
      securitySchemes,
      parameters: {
        ...frame,
        ...shared.parameters.components,
        ...(logs.length > 0 && webhookParameters),
        IdempotencyKey: idempotencyParameter,
        MinGeneration: minGenerationParameter,
      },
      headers: responseHeaders,
      responses: { ...shared.errors.components, ...shared.documents, "304": notModified },
      schemas: shared.schemas,
    },
  };
}

function frameComponents(wireName: (field: string) => string): Json {
  const named = frameParameters.map(([name, { field }]) => [wireName(name), parameterOf(wireName(name), field)]);
  return Object.fromEntries(named);
}

/**
 * Creates a tag for each service group that has calls. Platform groups come after the other groups. The last tag is for
 * the platform paths.
 */
function tagsOf({ groups, operations, accountReads, streams, linkedFeeds, writes }: OpenApiInput): Json[] {
  const services = new Set(
    [...operations, ...accountReads, ...streams, ...linkedFeeds, ...writes].map(({ service }) => service),
  );
  const served = [...services].flatMap((name) => groups.find(({ service }) => service === name) ?? []);
  const ordered = [...served.filter(({ isPlatform }) => !isPlatform), ...served.filter(({ isPlatform }) => isPlatform)];
  return [
    ...ordered.map(({ service, description }) => ({ name: service, description })),
    { name: "platform", description: "Health, metadata and documents of this service." },
  ];
}

/** The declarations that operations, account reads, streams, linked feeds and writes share. */
interface Documented {
  readonly rpc: string;
  readonly summary: string;
  readonly description: string;
}

/** The members that name and describe a call. */
function titleMembers(service: string, { rpc, summary, description }: Documented): Json {
  return { operationId: rpc, tags: [service], summary, description };
}

/** An operation or an account read, which takes parameters and `jmespath`. */
interface DocumentedGet extends Documented {
  readonly query: QueryFields;
  readonly response: TSchema;
}

function getParameters(get: DocumentedGet, shared: Shared): Json[] {
  return [...shared.parameters.of(queryParameters(get, shared.wireName)), { $ref: "#/components/parameters/jmespath" }];
}

function frameRefs(parameters: typeof frameParameters, { wireName }: Shared): Json[] {
  return parameters.map(([name]) => ({ $ref: `#/components/parameters/${wireName(name)}` }));
}

/** The content of a 200 in formats other than JSON. */
function contentOf(formats: readonly FurtherFormat[], shared: Shared): Json {
  const contents = formats.map((format) => {
    const { mediaType, schema } = furtherFormats[format];
    return [mediaType, { schema: hoisted(schema, shared.schemas) }];
  });
  return Object.fromEntries(contents);
}

/** The content of a 200: the response, or its projection. */
function getContent(path: string, { response }: DocumentedGet, shared: Shared): Json {
  const alternatives = [hoistedParts(response, shared.schemas), { $ref: "#/components/schemas/Projected" }];
  const example = shared.examples.get(path);
  return { "application/json": { schema: { anyOf: alternatives }, ...(example !== undefined && { example }) } };
}

function operationObject({ service, path, operation }: RegisteredOperation, shared: Shared): Json {
  return {
    ...titleMembers(service, operation),
    ...(operation.deprecation && {
      deprecated: true,
      "x-sunset": new Date(operation.deprecation.sunset).toISOString(),
    }),
    ...(operation.tier !== undefined && {
      security: [...keySchemes, { BearerAuth: [] }],
      "x-required-tier": operation.tier,
    }),
    ...(operation.list !== undefined && { "x-rows": rowsPlace(operation.list) }),
    parameters: [
      ...getParameters(operation, shared),
      ...frameRefs(frameParametersOf(operation), shared),
      ...(readsDatasets(operation) ? [{ $ref: "#/components/parameters/MinGeneration" }] : []),
    ],
    responses: {
      "200": {
        description: "OK",
        headers: headerRefs([
          ...dataHeaderNames,
          ...(furtherFormatsOf(operation).length > 0 ? rowHeaderNames : []),
          ...(operation.deprecation ? deprecatedNames : []),
        ]),
        content: {
          ...getContent(path, { ...operation, response: answerSchema(operation) }, shared),
          ...contentOf(furtherFormatsOf(operation), shared),
        },
      },
      "304": { $ref: "#/components/responses/304" },
      ...shared.errors.of(operationFailures(operation)),
    },
  };
}

function queryParameters({ query }: { readonly query: QueryFields }, wireName: (field: string) => string): Json[] {
  // The declaration of a query guarantees that every member is a QueryField.
  const fields = Object.entries(query as Readonly<Record<string, QueryField<unknown>>>);
  return fields.map(([name, field]) => parameterOf(wireName(name), field));
}

function parameterOf(name: string, field: Omit<QueryField, "decode" | "canonical">): Json {
  return {
    name,
    in: "query",
    ...(field.required && { required: true }),
    ...(field.deprecated && { deprecated: true }),
    description: field.description,
    schema: withoutEmptyDefault(plain(field.schema)),
  };
}

/** Drops a default that is an empty string, an empty list, false or 0, because it means the same as no default. */
function withoutEmptyDefault(schema: Json): Json {
  const { default: fallback, ...others } = schema;
  const isEmpty =
    fallback === "" || fallback === false || fallback === 0 || (Array.isArray(fallback) && fallback.length === 0);
  return isEmpty ? others : schema;
}

/** The path of the rows in an answer: `earthquakes`, or `categories.*.items` in a grouped list. */
function rowsPlace(list: AnyRowList): string {
  return "groups" in list ? `${list.groups}.*.${list.rows}` : list.rows;
}

function accountReadObject({ service, path, read }: RegisteredAccountRead, shared: Shared): Json {
  return {
    ...titleMembers(service, read),
    parameters: [...getParameters(read, shared), ...frameRefs(frameParametersOfAccounts, shared)],
    responses: {
      "200": {
        description: "OK",
        content: getContent(path, read, shared),
      },
      ...shared.errors.of(accountReadFailures(read)),
    },
  };
}

/** The parameters of a stream: its cursor, its filters and the id of the last event. */
function streamParameters(stream: Stream, wireName: (field: string) => string): Json[] {
  return [...queryParameters(stream, wireName), lastEventIdParameter];
}

function streamObject({ service, stream }: RegisteredStream, shared: Shared): Json {
  const entry = hoisted(stream.log.entry, shared.schemas);
  return {
    ...titleMembers(service, stream),
    parameters: shared.parameters.of(streamParameters(stream, shared.wireName)),
    responses: {
      "200": {
        description: `Server-sent events until either side closes the connection. \`ready\` comes first and states the position. \`${stream.log.event}\` comes for each change; its id is the position of the change, and its \`nextCursor\` serves for polling from that position. The changes refer to a list, for example the companies of an account; \`snapshot_required\` comes when that list has changed since the cursor was issued or the stream was opened. A comment comes after every 10 s without an event.`,
        content: {
          "text/event-stream": {
            schema: {
              type: "string",
              description: "Events; `contentSchema` is the schema of the data of a change",
              contentSchema: entry,
            },
            example: 'id: 9\nevent: ready\ndata: {"position":9,"pollState":"CURRENT","nextCursor":"…"}\n\n',
          },
        },
      },
      ...shared.errors.of(streamFailures()),
    },
  };
}

function linkedFeedObject({ service, feed }: RegisteredLinkedFeed, shared: Shared): Json {
  return {
    ...titleMembers(service, feed),
    security: [],
    parameters: [
      ...shared.parameters.of(queryParameters(feed, shared.wireName)),
      ...frameRefs(frameParametersOfFeeds, shared),
    ],
    responses: {
      "200": {
        description: "OK",
        headers: headerRefs(["ETag"]),
        content: contentOf(feedFormatNames, shared),
      },
      "304": { $ref: "#/components/responses/304" },
      ...shared.errors.of(linkedFeedFailures()),
    },
  };
}

function writeObject({ service, path, write }: RegisteredWrite, shared: Shared): Json {
  const contentType = write.isForm ? "application/x-www-form-urlencoded" : "application/json";
  const isReplayed = write.repeats === "replayed";
  const example = shared.examples.get(path);
  return {
    ...titleMembers(service, write),
    ...(isOpen(write) && { security: [] }),
    ...(isReplayed && { parameters: [{ $ref: "#/components/parameters/IdempotencyKey" }] }),
    requestBody: {
      required: true,
      content: { [contentType]: { schema: hoisted(write.request, shared.schemas), example: write.example } },
    },
    responses: {
      [write.success ?? 200]: {
        description: write.success === 201 ? "Created." : "Done.",
        ...(isReplayed && { headers: headerRefs(["Idempotency-Key", "Idempotent-Replayed"]) }),
        content: {
          "application/json": {
            schema: hoisted(write.response, shared.schemas),
            ...(example !== undefined && { example }),
          },
        },
      },
      ...shared.errors.of(writeFailures(write)),
    },
  };
}

/** The GET that shows the page of a write. */
function pageObject({ service, path, write }: RegisteredWrite, shared: Shared): Json {
  if (!write.page) return {};
  const page: DocumentPath = {
    path,
    tag: service,
    operationId: `${write.rpc}-page`,
    summary: write.page.title,
    description: "A page with a button that sends the POST, for people who follow the link in an email.",
    isOpen: true,
    contentType: "text/html",
    parameters: [],
    failures: ["tooManyRequests"],
  };
  return { get: documentObject(page, shared) };
}

function platformObject(path: PlatformPath, shared: Shared): Json {
  const parameters = platformParameters(path);
  return documentObject({ ...path, tag: "platform", parameters, failures: platformFailures(path) }, shared);
}

/** A platform path or the page of a write, with its tag, its parameters and its failures. */
interface DocumentPath extends Omit<PlatformPath, "parameters" | "failures"> {
  readonly tag: string;
  readonly parameters: readonly Json[];
  readonly failures: readonly FailureName[];
}

function documentObject(path: DocumentPath, shared: Shared): Json {
  const { tag, operationId, summary, description, isOpen, contentType, method, rows, parameters, failures } = path;
  const further = (path.furtherAnswers ?? []).map((answer) => [
    answer.status,
    furtherAnswer(answer, contentType, shared),
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(isOpen && { security: [] }),
    ...(rows !== undefined && { "x-rows": rows }),
    ...(parameters.length > 0 && { parameters: shared.parameters.of(parameters) }),
    ...(method === "post" && { requestBody: { required: true, content: { [contentType]: { schema: {} } } } }),
    responses: {
      "200": documentResponse(path, shared),
      ...Object.fromEntries(further),
      ...shared.errors.of(failures),
    },
  };
}

function furtherAnswer({ description, schema }: FurtherAnswer, contentType: string, { schemas }: Shared): Json {
  return {
    description,
    ...(schema && { content: { [contentType]: { schema: hoisted(schema, schemas) } } }),
  };
}

/**
 * The response of a platform path, with its schema. All paths without a schema share one response for each content
 * type.
 */
function documentResponse({ contentType, answer }: DocumentPath, { schemas, documents }: Shared): Json {
  const responseOf = (schema: unknown): Json => ({ description: "OK", content: { [contentType]: { schema } } });
  if (answer) return responseOf(hoisted(answer, schemas));
  // Component names must not contain a plus sign.
  const document = contentType.replace(/^[^/]*\//, "").replaceAll("+", "-");
  documents[document] = responseOf({});
  return { $ref: `#/components/responses/${document}` };
}

function platformParameters({ parameters = [] }: PlatformPath): readonly Json[] {
  return parameters.map((parameter) => ({ ...parameter, in: "query" }));
}
