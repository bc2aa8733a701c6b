import { useState } from "preact/hooks";
import { failureText } from "../reads/failure-text.js";
import { signIn } from "../session.js";

/** Asks for a key, and opens a session with it. The session is a cookie that scripts cannot read. */
export function SignIn({ failure: refusal }: { readonly failure: unknown }) {
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState(refusal);
  const [isSent, setSent] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSent(true);
    setFailure(undefined);
    try {
      await signIn({ key: key.trim() });
    } catch (error) {
      setFailure(error);
    } finally {
      setSent(false);
    }
  };
  return (
    <section class="card sign-in" aria-labelledby="sign-in-title">
      <h1 id="sign-in-title">Sign in</h1>
      <p>
        Use an API key. The first start of the service writes the owner's key to <code>owner.key</code> in the data
        folder, and prints a link that signs you in once.
      </p>
      <form onSubmit={submit}>
        <label for="sign-in-key">API key</label>
        <input
          id="sign-in-key"
          type="password"
          autocomplete="off"
          required
          maxLength={256}
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isSent}>
          Sign in
        </button>
        {failure !== undefined && (
          <p class="notice failed" role="alert">
            {failureText(failure)}
          </p>
        )}
      </form>
    </section>
  );
}
