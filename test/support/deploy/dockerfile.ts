import { cpSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DockerfileParser, type Instruction } from "dockerfile-ast";
import { deployed } from "./files.js";

/** The instructions of each stage of deploy/Dockerfile. */
export function stages(): readonly (readonly Instruction[])[] {
  const all = DockerfileParser.parse(deployed("Dockerfile")).getInstructions();
  const starts = all.flatMap((instruction, at) => (instruction.getKeyword() === "FROM" ? [at] : []));
  return starts.map((start, at) => all.slice(start, starts[at + 1]));
}

/** The arguments of each instruction with this keyword. */
export function argumentsOf(stage: readonly Instruction[], keyword: string): readonly string[] {
  return stage
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getArgumentsContent() ?? "");
}

/**
 * Executes the COPY instructions of a stage, with the folder `from` as the source and the folder `to` as the target.
 * Skips test files.
 */
export function copyAsStage(stage: readonly Instruction[], from: string, to: string): void {
  for (const argument of argumentsOf(stage, "COPY")) {
    const words = argument.split(" ").filter((word) => !word.startsWith("--"));
    const target = words.at(-1) ?? "";
    for (const word of words.slice(0, -1)) {
      const name = word.replace(/^\/app\//, "");
      const into = resolve(to, target.endsWith("/") ? join(target, name.split("/").at(-1) ?? "") : target);
      mkdirSync(dirname(into), { recursive: true });
      // The tests link to the installed packages instead of copying them.
      if (name === "node_modules") continue;
      cpSync(join(from, name), into, { recursive: true, filter: (path) => !/\.test\.tsx?$|\/testing$/.test(path) });
    }
  }
}

/** The patterns of the ignore file that admit a path to the build. */
export function admitted(): readonly string[] {
  return deployed("Dockerfile.dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
}
