import { once } from "node:events";
import { rename, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import type { RunCommand } from "../process.js";

/** Ends the fields of a request. */
const END = "\0\0";

/**
 * A stand-in for `vigil` that hands its folder, arguments and environment to the process that listens on a port. That
 * process has already loaded the service, which takes most of a command's time. A command that is interrupted, or whose
 * output pipe may be closed early, gets its own process.
 */
const script = (port: number, ownProcess: string): string => `#!/bin/bash
case " $* " in *" watch "* | *" --output - "*) exec ${ownProcess} "$@" ;; esac
exec 3<>/dev/tcp/127.0.0.1/${port}
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&3
read -r -u 3 code bytes
head -c "$bytes" <&3
cat <&3 >&2
exit "$code"
`;

/** Replaces the program `file` with a script that runs its commands through `command`. */
export async function hostedVigil(file: string, command: RunCommand): Promise<{ close(): void }> {
  const server = createServer((socket) => {
    let request = "";
    // If a code block of a page is killed at its time limit, its connection is reset.
    socket.on("error", () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      request += chunk;
      if (request.endsWith(END)) void answer(request.slice(0, -END.length), command).then((bytes) => socket.end(bytes));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const ownProcess = `${file}-process`;
  await rename(file, ownProcess);
  await writeFile(file, script((server.address() as AddressInfo).port, ownProcess), { mode: 0o755 });
  return { close: () => void server.close() };
}

/** Runs a command, and returns its exit code and the length of its standard output, followed by both outputs. */
async function answer(request: string, command: RunCommand): Promise<string> {
  const [folder = "", count = "", ...fields] = request.split("\0");
  const args = fields.slice(0, Number(count));
  const env = fields.slice(args.length).map((field) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(field) ?? [];
    return [name, value];
  });
  const { code, printed, errors } = await command(args, Object.fromEntries(env), folder).catch((error: Error) => ({
    code: 1,
    printed: "",
    errors: String(error),
  }));
  return `${code} ${Buffer.byteLength(printed)}\n${printed}${errors}`;
}
