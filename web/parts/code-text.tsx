/** Text from the contract, with code between backticks. */
export function CodeText({ text }: { readonly text: string }) {
  return (
    <>
      {text.split("`").map((piece, at) =>
        // Every second piece is code. The key may contain the position, because pieces never change their order.
        at % 2 === 1 ? <code key={`${at} ${piece}`}>{piece}</code> : piece,
      )}
    </>
  );
}
