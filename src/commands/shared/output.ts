/** Prints the result of a command on standard output. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a remark on standard error, so that it does not mix with the result. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Lets the process continue after the reader of its output, such as `head`, has gone. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
