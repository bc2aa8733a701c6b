import { useState } from "preact/hooks";
import type { CreateKeyRequest, CreateKeyResponse } from "../../../src/sdk/index.js";
import { vigil } from "../../client.js";
import { Field } from "../../parts/field.js";
import { failureText } from "../../reads/failure-text.js";
import { session } from "../../session.js";
import { useStore } from "../../store.js";
import { useWrite } from "../../writes/write.js";

type Scope = NonNullable<CreateKeyRequest["scopes"]>[number];

/** Creates a key with a subset of the caller's scopes. */
export function NewKey({ onMade }: { readonly onMade: (created: CreateKeyResponse) => void }) {
  const who = useStore(session);
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["read"]);
  const { isSent, failure, send } = useWrite(async () => {
    const { data } = await vigil.account.createKey({ name: name.trim(), scopes: scopes as readonly Scope[] });
    setName("");
    onMade(data);
  });
  const own = who.kind === "in" ? who.account.scopes : [];
  const toggle = (scope: string): void =>
    setScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  return (
    <form
      class="new-key"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h3>New key</h3>
      <Field label="Name" hint="A name to recognise the key by, such as the program that uses it">
        {(input) => (
          <input {...input} required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        )}
      </Field>
      <fieldset class="row">
        <legend>Scopes</legend>
        {own.map((scope) => (
          <label key={scope} class="field">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            {scope}
          </label>
        ))}
      </fieldset>
      {failure !== undefined && (
        <p class="notice failed" role="alert">
          {failureText(failure)}
        </p>
      )}
      <p class="row">
        <button type="submit" class="primary" disabled={isSent || scopes.length === 0}>
          Create key
        </button>
      </p>
    </form>
  );
}
