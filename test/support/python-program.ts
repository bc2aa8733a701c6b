import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

/** Exit code and output of a run. */
export type PythonResult = readonly [code: number, output: string];

/** A Python program with a function `main`. */
export interface PythonProgram {
  run(args: readonly string[]): Promise<PythonResult>;
  close(): void;
}

/**
 * Python code that calls the program's `main` for each line of its input. Python starts only once, because its start
 * takes most of the time of a run.
 */
const HOST = `
import contextlib, importlib.util, io, json, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
for line in sys.stdin:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = program.main(json.loads(line))
    print(json.dumps([code, output.getvalue().strip()]), flush=True)
`;

/** The reason why Python cannot run a program that needs this package; empty if it can. */
export function whyNoPython(needed: string, python = "python3"): string {
  return spawnSync(python, ["-c", `import ${needed}`]).status === 0 ? "" : `no python3 with ${needed}`;
}

/** Starts a process that runs the program once per request. */
export function pythonProgram(file: string): PythonProgram {
  const child = spawn("python3", ["-c", HOST, file], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(args) {
      child.stdin.write(`${JSON.stringify(args)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`${file} ended`);
      return JSON.parse(value);
    },
    close: () => child.stdin.end(),
  };
}
