import { useState } from "preact/hooks";
import { vigil } from "../../client.js";
import { Field } from "../../parts/field.js";
import { failureText } from "../../reads/failure-text.js";
import type { Operation } from "./catalogue.js";

/** A write: a JSON body, sent only when the button is pressed. */
export function WriteForm({ operation }: { readonly operation: Operation }) {
  const [body, setBody] = useState("{}");
  const [isSent, setSent] = useState(false);
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly isFailure: boolean }>();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSent(true);
    try {
      const { data, status } = await vigil.callByName(operation.name, parsedBody(body));
      setOutcome({ text: `${status}\n${JSON.stringify(data, null, 2)}`, isFailure: false });
    } catch (error) {
      setOutcome({ text: failureText(error), isFailure: true });
    } finally {
      setSent(false);
    }
  };
  return (
    <form class="operation-form" onSubmit={submit}>
      <p class="notice">
        This call changes something. <a href={`/docs/operations/${operation.service}`}>The documents</a> describe its
        body.
      </p>
      <Field label="Body (JSON)">
        {(input) => (
          <textarea
            {...input}
            class="expression"
            rows={10}
            spellcheck={false}
            value={body}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
        )}
      </Field>
      <p class="row">
        <button type="submit" class="primary" disabled={isSent}>
          Send
        </button>
      </p>
      {outcome && (
        <div role="status">
          {outcome.isFailure ? <p class="notice failed">{outcome.text}</p> : <pre class="raw">{outcome.text}</pre>}
        </div>
      )}
    </form>
  );
}

function parsedBody(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  throw new TypeError('The body must be a JSON object, such as {"name": "Desk"}.');
}
