/** A text of the contract, whose names stand between backticks. */
export function CodeText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split("`").map((piece, at) =>
        // Every second piece stood between backticks; the pieces of a text never change their places.
        at % 2 === 1 ? <code key={`${at} ${piece}`}>{piece}</code> : piece,
      )}
    </>
  );
}
