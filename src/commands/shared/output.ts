/** Prints the result of a command on the standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a remark on the standard error, so that it does not mix with the result. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
