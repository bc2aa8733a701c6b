import type { Call } from "../reads/read.js";
import { type CallForm, callForms } from "./call-forms.js";
import { CopyButton } from "./copy-button.js";
import { Disclosure } from "./disclosure.js";

/** A menu that shows how other programs make the same read. */
export function CallMenu({ call }: { readonly call: Call }) {
  return (
    <Disclosure label="Call" name={`${call.name} as a call`}>
      <p class="quiet">
        The same answer outside this page. <a href={explorerHref(call)}>Open it in the explorer</a>
      </p>
      <CallFormList forms={callForms(call, location.origin)} />
    </Disclosure>
  );
}

/** A call in each of its forms, to copy. */
export function CallFormList({ forms }: { readonly forms: readonly CallForm[] }) {
  return (
    <>
      {forms.map(({ name, text }) => (
        <div key={name} class="call-form">
          <div class="row">
            <strong>{name}</strong>
            <span class="spacer" />
            <CopyButton text={text} name={`Copy ${name}`} />
          </div>
          <pre>
            <code>{text}</code>
          </pre>
        </div>
      ))}
    </>
  );
}

/** Address of the explorer with the same call. `asOf` is left out, because the explorer takes the instant from `at`. */
function explorerHref({ name, params: { jmespath, asOf: _, ...params } }: Call): string {
  const projection = typeof jmespath === "string" ? { jmespath } : {};
  return `/explorer?${new URLSearchParams({ operation: name, params: JSON.stringify(params), ...projection })}`;
}
