import { useState } from "preact/hooks";
import { vigil } from "../../client.js";
import { writeForms } from "../../parts/call-forms.js";
import { CallFormList } from "../../parts/call-menu.js";
import { Disclosure } from "../../parts/disclosure.js";
import { fieldFailures, otherFailureText } from "../../writes/field-failures.js";
import { useWrite } from "../../writes/write.js";
import { type BodyDraft, BodyError, bodyOf } from "./body.js";
import { BodyFields, pathsIn } from "./body-fields.js";
import type { Operation } from "./catalogue.js";

/** A form for the body of a write. The write is sent only when the user submits the form. */
export function WriteForm({ operation }: { readonly operation: Operation }) {
  const { name, path, members, service } = operation;
  const [draft, setDraft] = useState<BodyDraft>({});
  const [answer, setAnswer] = useState<string>();
  const { isSent, failure, send } = useWrite(async () => {
    setAnswer(undefined);
    const { data, status } = await vigil.callByName(name, bodyOf(members, draft));
    setAnswer(`${status}\n${JSON.stringify(data, null, 2)}`);
  });
  const paths = pathsIn(members);
  const other =
    failure instanceof BodyError ? undefined : otherFailureText(failure, (field) => paths.has(memberPath(field)));
  return (
    <form
      class="operation-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p class="notice">
        This call changes data. <a href={`/docs/operations/${service}`}>The documentation</a> describes it.
      </p>
      <BodyFields members={members} draft={draft} onDraft={setDraft} failures={failuresOf(failure)} />
      <p class="row">
        <button type="submit" class="primary" disabled={isSent}>
          Send
        </button>
        <Disclosure label="Call" name={`${name} as a call`}>
          <SentBody operation={operation} draft={draft} path={path} />
        </Disclosure>
      </p>
      {other !== undefined && (
        <p class="notice failed" role="alert">
          {other}
        </p>
      )}
      {answer !== undefined && (
        <pre class="raw" role="status">
          {answer}
        </pre>
      )}
    </form>
  );
}

/** The write in the forms in which it can be sent from elsewhere, such as a curl command. */
function SentBody({ operation, draft, path }: { operation: Operation; draft: BodyDraft; path: string }) {
  try {
    const body = bodyOf(operation.members, draft);
    return <CallFormList forms={writeForms(operation.name, path, body, location.origin)} />;
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return (
      <p class="notice">
        {error.path}: {error.message}
      </p>
    );
  }
}

/** The failures of single members, by their paths. */
function failuresOf(failure: unknown): ReadonlyMap<string, string> {
  if (failure instanceof BodyError) return new Map([[failure.path, failure.message]]);
  const texts = new Map<string, string>();
  for (const [field, text] of fieldFailures(failure)) {
    const path = memberPath(field);
    texts.set(path, [texts.get(path), text].filter(Boolean).join(" "));
  }
  return texts;
}

/** The member of a violation, without its list index: `company.domains` for `company.domains[1]`. */
function memberPath(field: string): string {
  return field.split("[", 1)[0] ?? field;
}
