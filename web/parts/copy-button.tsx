import { useState } from "preact/hooks";

/** Copies text. Without a clipboard, as on plain http, the button says that copying is not possible. */
export function CopyButton({ text, name = "Copy" }: { readonly text: string; readonly name?: string }) {
  const [result, setResult] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult("Copied");
    } catch {
      setResult("Copying is not allowed here: select the text");
    }
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {name}
      </button>
      <span class="quiet" role="status">
        {result}
      </span>
    </>
  );
}
