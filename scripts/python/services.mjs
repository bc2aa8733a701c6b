import { instantsIn } from "./instants.mjs";
import { docstring, literal, parameterName, pascalCase, sentences, snakeCase } from "./text.mjs";

/** Parameters for an instant. They accept datetimes as well as strings and numbers. */
const INSTANTS = new Set(["as_of", "from", "to", "start", "end"]);
const SCALARS = { string: "str", boolean: "bool", integer: "int", number: "float" };
const ERRORS = {
  400: "BadRequestError",
  401: "UnauthorizedError",
  403: "ForbiddenError",
  404: "NotFoundError",
  409: "ConflictError",
  410: "GoneError",
  422: "UnprocessableError",
  429: "RateLimitError",
  503: "UnavailableError",
};
const STATES =
  "The state of the data is in `state`: `ok`, `partial`, `stale`, `absent` or `unreadable`. In the last two, an empty list means an outage.";

/** The module with the class of a service. */
export function serviceModule(document, { name, description, calls }) {
  const constants = calls.map((call) => constantText(document, call)).join("");
  const methods = calls.map(methodText).join("\n");
  const body = `${constants}\n\nclass ${pascalCase(name)}:\n${docstring([sentences(description)], "    ")}
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

${methods}`;
  return `${importsOf(body, calls)}\n\n${body}`;
}

/** The module with the base class that gives the client an attribute for each service. */
export function servicesModule(services) {
  const imports = services.map(({ name }) => `from .${snakeCase(name)} import ${pascalCase(name)}\n`).sort();
  const properties = services.map(({ name, description }) => {
    const about = docstring([sentences(description)], "        ");
    return `    @property\n    def ${snakeCase(name)}(self) -> ${pascalCase(name)}:\n${about}        return ${pascalCase(name)}(self)\n`;
  });
  return `from .._caller import Caller
${imports.join("")}

class Services(Caller):
    """Every service of the API (docs/openapi.json).

    Each service is created on access, so that no reference cycle keeps an unused client alive.
    """

${properties.join("\n")}`;
}

function importsOf(body, calls) {
  const uses = (name) => new RegExp(`\\b${name}\\b`).test(body);
  const typing = ["Any", "Dict", "List", "Literal", "Mapping", "Optional", "Sequence", "Union", "overload"].filter(
    uses,
  );
  const answers = ["Answer", "ChangingAnswer", "ListAnswer", "PollAnswer"].filter(uses);
  const named = calls.flatMap(({ types }) => Object.values(types)).flatMap((type) => type?.match(/\w+/g) ?? []);
  const own = [...new Set(named)].filter((name) => !["Any", "Dict", "List", "Literal", "Union", "str"].includes(name));
  return [
    `from typing import ${typing.join(", ")}\n\n`,
    `from .._call import Call${uses("Instant") ? ", Instant" : ""}\n`,
    "from .._caller import Caller\n",
    answers.length > 0 ? `from ..answer import ${answers.join(", ")}\n` : "",
    uses("Stream") ? "from ..stream import Stream\n" : "",
    own.length > 0
      ? `from .types import (\n${own
          .sort()
          .map((name) => `    ${name},\n`)
          .join("")})\n`
      : "",
  ].join("");
}

/** The return type of a call. */
function resultType(call) {
  const { kind, request, types } = call;
  if (kind === "stream") return `Stream[${types.event}]`;
  return request === undefined ? answerType(call) : `Answer[${types.answer}]`;
}

const constantName = ({ name }) => `_${snakeCase(name).toUpperCase()}`;

function constantText(document, call) {
  const { name, method, path, kind, isKeyed, rows, nextCursor, isPoll, schema, contentTypes } = call;
  const { instants, absentAtZero } = instantsIn(document, schema);
  const set = (places) => `frozenset({${places.map(literal).join(", ")}})`;
  const [accept] = contentTypes;
  const facts = [
    ...(accept === "application/json" || kind === "stream" ? [] : [`accept=${literal(accept)}`]),
    ...(kind === "form" ? ["is_form=True"] : []),
    ...(isKeyed ? ["is_keyed=True"] : []),
    ...(rows === undefined ? [] : [`rows=${literal(rows)}`]),
    ...(nextCursor === undefined ? [] : [`next_cursor=${literal(nextCursor)}`]),
    ...(isPoll ? ["is_poll=True"] : []),
    ...(isChanging(call) ? ["is_changing=True"] : []),
    ...(instants.length === 0 ? [] : [`instants=${set(instants)}`]),
    ...(absentAtZero.length === 0 ? [] : [`absent_at_zero=${set(absentAtZero)}`]),
  ];
  const values = [literal(name), literal(method), literal(path), ...facts];
  return `${constantName(call)}: Call[${resultType(call)}] = Call(\n${values.map((value) => `    ${value},\n`).join("")})\n`;
}

function methodText(call) {
  if (call.request !== undefined) return writeText(call);
  return call.kind === "stream" ? streamText(call) : readText(call);
}

/** The source of the `def` line of a method that takes only keyword arguments. */
function signature(name, parameters, result) {
  const head = parameters.length === 0 ? "" : `        *,\n${parameters.map((text) => `        ${text},\n`).join("")}`;
  return `    def ${name}(\n        self,\n${head}    ) -> ${result}:\n`;
}

function parameterText({ name, required, schema }) {
  const type = parameterType(name, schema);
  return required ? `${parameterName(name)}: ${type}` : `${parameterName(name)}: Optional[${type}] = None`;
}

function parameterType(name, schema) {
  if (name === "since_generation") return "Union[str, int]";
  if (INSTANTS.has(name)) return "Instant";
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(", ")}]`;
  if (schema.type === "array") return `Sequence[${parameterType("", schema.items)}]`;
  return SCALARS[schema.type] ?? "str";
}

function readText(call) {
  const { name, query, formats } = call;
  const method = snakeCase(name);
  const isProjected = query.some((parameter) => parameter.name === "jmespath");
  const body = `${docstring(aboutOf(call), "        ")}        return self._caller.read(${constantName(call)}, ${queryText(query)})\n`;
  if (!isProjected) return `${signature(method, query.map(parameterText), resultType(call))}${body}`;
  const plain = query.filter((parameter) => !["jmespath", "format"].includes(parameter.name));
  const variants = [
    [plain, resultType(call)],
    [
      query.map((parameter) => (parameter.name === "jmespath" ? { ...parameter, required: true } : parameter)),
      "Answer[Any]",
    ],
    ...(formats.length === 0 ? [] : [[query.map((parameter) => formatParameter(parameter, formats)), "Answer[Any]"]]),
  ].map(([parameters, result]) => {
    const texts = parameters.map(parameterText);
    return `    @overload\n${signature(method, texts, result).trimEnd()} ...\n\n`;
  });
  return `${variants.join("")}${signature(method, query.map(parameterText), "Any")}${body}`;
}

/** The source of a dictionary with the query parameters. */
function queryText(query) {
  const members = query.map(({ name }) => `            ${literal(name)}: ${parameterName(name)},\n`);
  return members.length === 0 ? "{}" : `{\n${members.join("")}        }`;
}

function formatParameter(parameter, formats) {
  return parameter.name === "format" ? { ...parameter, required: true, schema: { enum: formats } } : parameter;
}

function answerType(call) {
  const { rows, isPoll, types } = call;
  const { answer, row = "Dict[str, Any]" } = types;
  if (rows === undefined) return `Answer[${answer}]`;
  const kind = isPoll ? "PollAnswer" : isChanging(call) ? "ChangingAnswer" : "ListAnswer";
  return `${kind}[${answer}, ${row}]`;
}

function isChanging({ rows, query }) {
  return rows !== undefined && query.some(({ name }) => name === "since_generation");
}

function streamText(call) {
  const { name, query } = call;
  const parameters = [...query.map(parameterText), "last_event_id: Optional[str] = None"];
  const about = aboutOf(call, [
    ":param last_event_id: Id of the last event that was handled: the stream continues after it",
  ]);
  return `${signature(snakeCase(name), parameters, resultType(call))}${docstring(about, "        ")}        return self._caller.stream(${constantName(call)}, ${queryText(query)}, last_event_id)\n`;
}

function writeText(call) {
  const { name, isKeyed, types } = call;
  const parameters = [
    ...(isKeyed ? ["idempotency_key: Optional[str] = None"] : []),
    "headers: Optional[Mapping[str, str]] = None",
  ];
  const head = `        body: Union[${types.request}, bytes],\n        *,\n${parameters.map((text) => `        ${text},\n`).join("")}`;
  const about = aboutOf(call, [
    `:param body: \`${types.request}\`, or its JSON as bytes`,
    ...(isKeyed
      ? [":param idempotency_key: For 24 hours, a repeat with this key gets the first answer; the default is a new key"]
      : []),
    ":param headers: Headers to add to the request",
  ]);
  const key = isKeyed ? "idempotency_key" : "None";
  return `    def ${snakeCase(name)}(\n        self,\n${head}    ) -> ${resultType(call)}:\n${docstring(about, "        ")}        return self._caller.write(${constantName(call)}, body, ${key}, headers)\n`;
}

/** The paragraphs of a method's docstring. */
function aboutOf({ operation, query, failures, contentTypes }, further = []) {
  const { summary, description, responses } = operation;
  const headers = responses["200"]?.headers ?? {};
  const tier = operation["x-required-tier"];
  const parameters = query.map(({ name, description: text }) => `:param ${parameterName(name)}: ${text}`);
  const errors = failures.map(({ status }) => `${ERRORS[status]} (${status})`);
  const raises =
    errors.length === 0
      ? []
      : [`:raises ApiError: ${errors.join(", ")}, or another ApiError, e.g. ServerError (any status from 500)`];
  const text = contentTypes.includes("text/plain") ? ["The data is a string."] : [];
  return [
    sentences(summary),
    sentences(description),
    ...(operation.deprecated ? [`Deprecated; ends on ${operation["x-sunset"]}.`] : []),
    ...(tier === undefined ? [] : [`Needs a plan of tier ${tier} or above.`]),
    ...(headers["X-Vigil-State"] === undefined ? [] : [STATES]),
    ...text,
    [...parameters, ...further, ...raises],
  ].filter((paragraph) => paragraph.length > 0);
}
