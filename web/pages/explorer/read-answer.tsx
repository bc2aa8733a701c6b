import { useEffect, useMemo, useState } from "preact/hooks";
import type { Answer, CallName } from "../../../src/sdk/index.js";
import { numberText } from "../../format.js";
import { useParam } from "../../location.js";
import { Field } from "../../parts/field.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { AnswerTable } from "./answer-table.js";
import { AnswerTree } from "./answer-tree.js";
import type { Operation } from "./catalogue.js";

/** A projection is sent when the user has typed nothing for this time. */
const REST_MS = 350;
/** Longer texts are cut, because one element with megabytes of text freezes the browser. */
const RAW_CHARACTERS_MAX = 200_000;
const HEADERS = [
  "etag",
  "last-modified",
  "cache-control",
  "x-vigil-state",
  "x-vigil-generation",
  "x-vigil-notice",
  "ratelimit",
  "ratelimit-policy",
  "x-request-id",
];

const forms = ["Tree", "Table", "Raw", "Headers"] as const;

interface ReadAnswerProps {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

/** The answer of a read in several forms, with a projection that is applied as it is typed. */
export function ReadAnswer({ operation, params }: ReadAnswerProps) {
  const [jmespath, setJmespath] = useParam("jmespath");
  const [draft, setDraft] = useState(jmespath);
  const [form, setForm] = useParam("as", "Tree");
  useEffect(() => {
    if (draft === jmespath) return;
    const timer = setTimeout(() => setJmespath(draft), REST_MS);
    return () => clearTimeout(timer);
  });
  const missing = operation.parameters.filter(({ name, isRequired }) => isRequired && params[name] === undefined);
  const has = (name: string): boolean => operation.parameters.some((parameter) => parameter.name === name);
  const sent = { ...params, ...(jmespath !== "" && { jmespath }) };
  const read = useRead(operation.name as CallName, sent as never, {
    hasPast: has("as_of"),
    isWanted: missing.length === 0,
    isLive: false,
  });
  if (missing.length > 0) {
    return <p class="notice">Fill in {missing.map(({ name }) => name).join(", ")} and press Call.</p>;
  }
  return (
    <>
      {has("jmespath") && (
        <section class="card">
          <Field label="Projection (JMESPath)" hint="Applied by the service, so that only the needed part is sent.">
            {(input) => (
              <input
                {...input}
                class="expression"
                spellcheck={false}
                value={draft}
                onInput={({ currentTarget }) => setDraft(currentTarget.value)}
              />
            )}
          </Field>
        </section>
      )}
      <ReadFrame read={read} title="Answer">
        {(_, answer) => <Shown answer={answer as Answer<unknown>} form={form} onForm={setForm} />}
      </ReadFrame>
    </>
  );
}

interface ShownProps {
  readonly answer: Answer<unknown>;
  readonly form: string;
  readonly onForm: (form: string) => void;
}

function Shown({ answer, form, onForm }: ShownProps) {
  const { data } = answer;
  const text = useMemo(() => (typeof data === "string" ? data : JSON.stringify(data)), [data]);
  const bytes = useMemo(() => new TextEncoder().encode(text).length, [text]);
  return (
    <>
      <fieldset class="row">
        <legend class="visually-hidden">Form of the answer</legend>
        {forms.map((name) => (
          <button key={name} type="button" aria-pressed={form === name} onClick={() => onForm(name)}>
            {name}
          </button>
        ))}
        <span class="quiet">
          {answer.status}, {numberText(bytes)} bytes before compression
          {answer.isFromCache && ", confirmed by a 304"}
        </span>
      </fieldset>
      {form === "Tree" && <AnswerTree value={data} />}
      {form === "Table" && <AnswerTable value={data} />}
      {form === "Raw" && <Raw data={data} />}
      {form === "Headers" && <Headers headers={answer.headers} />}
    </>
  );
}

function Raw({ data }: { readonly data: unknown }) {
  const text = useMemo(() => (typeof data === "string" ? data : JSON.stringify(data, null, 2)), [data]);
  return (
    <>
      {text.length > RAW_CHARACTERS_MAX && (
        <p class="notice">
          The first {numberText(RAW_CHARACTERS_MAX)} characters of {numberText(text.length)}.
        </p>
      )}
      <pre class="raw">{text.slice(0, RAW_CHARACTERS_MAX)}</pre>
    </>
  );
}

function Headers({ headers }: { readonly headers: Headers }) {
  return (
    <dl class="headers">
      {HEADERS.filter((name) => headers.has(name)).map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{headers.get(name)}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
