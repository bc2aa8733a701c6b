// Runs commands of the built command line one after another in one process, because a command spends nearly all of its
// time on loading modules. A command sees its own arguments and environment, and its exit code and output are reported.
import { pathToFileURL } from "node:url";

const streams = [process.stdout, process.stderr];
const startFolder = process.cwd();

process.on("message", async ({ id, main, args, env, folder }) => {
  process.chdir(folder ?? startFolder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  const output = [];
  const printed = [];
  const errors = [];
  const writes = streams.map((stream) => stream.write);
  for (const stream of streams) {
    stream.write = (chunk) => {
      output.push(String(chunk));
      (stream === process.stdout ? printed : errors).push(String(chunk));
      return true;
    };
  }
  let crash;
  try {
    // The query in the address makes `main` a new module, so it runs again; the modules that it imports stay loaded.
    await import(`${pathToFileURL(main)}?command=${id}`);
  } catch (error) {
    crash = error instanceof Error ? error.stack : String(error);
  }
  for (const [index, stream] of streams.entries()) {
    stream.write = writes[index];
    // Removes the listener that this run of `main` has added.
    stream.removeAllListeners("error");
  }
  const [all, out, err] = [output, printed, errors].map((chunks) => chunks.join(""));
  process.send({ id, code: process.exitCode ?? 0, output: all, printed: out, errors: err, crash });
  process.exitCode = undefined;
});
