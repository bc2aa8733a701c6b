import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { validate } from "dockerfile-utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admitted, argumentsOf, copyAsStage, stages } from "./support/deploy/dockerfile.js";
import { deployed, repository } from "./support/deploy/files.js";

const [build = [], final = []] = stages();
const manifest: { readonly version: string; readonly files: readonly string[] } = JSON.parse(
  readFileSync(resolve(repository, "package.json"), "utf8"),
);

describe("the Dockerfile", () => {
  test("is accepted by the linter", () => {
    expect(validate(deployed("Dockerfile")).map(({ message }) => message)).toEqual([]);
  });

  test("runs as an unprivileged user, with one volume, and has a health check", () => {
    expect(argumentsOf(final, "USER")).toEqual(["1000:1000"]);
    expect(argumentsOf(final, "VOLUME")).toEqual(["/data"]);
    expect(argumentsOf(final, "HEALTHCHECK").join()).toContain('CMD ["node", "dist/bin/vigil.js", "health"]');
    expect(argumentsOf(final, "ENTRYPOINT")).toEqual(['["node", "dist/bin/vigil.js"]']);
    expect(argumentsOf(final, "CMD")).toEqual(['["serve"]']);
  });

  test("copies the contents of the package into the image, except its README", () => {
    const copied = argumentsOf(final, "COPY").flatMap((argument) => argument.match(/(?<=\/app\/)\S+/g) ?? []);
    const packed = manifest.files.map((name) => name.replace(/\/\*\*.*$/, ""));
    expect(new Set(copied)).toEqual(new Set([...packed, "LICENSE", "package.json", "node_modules"]));
  });

  test("gets a build context of only the files that it copies, because Dockerfile.dockerignore excludes all others", () => {
    const copied = argumentsOf(build, "COPY").flatMap((argument) => argument.split(" ").slice(0, -1));
    expect(new Set(copied)).toEqual(new Set(admitted()));
  });
});

describe("a build from only the copied files", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "vigil-image-"));
    const app = join(folder, "build");
    copyAsStage(build, repository, app);
    symlinkSync(join(repository, "node_modules"), join(app, "node_modules"));
    // Modules that are already compiled are reused.
    cpSync(join(repository, "dist"), join(app, "dist"), { recursive: true });
    rmSync(join(app, "dist/web"), { recursive: true });
    const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: app, encoding: "utf8" });
    if (built.status !== 0) throw new Error(built.stderr);
    mkdirSync(join(folder, "image"));
    copyAsStage(final, app, join(folder, "image"));
    symlinkSync(join(repository, "node_modules"), join(folder, "image/node_modules"));
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("produces the program, the console and the licences", () => {
    const files = ["dist/bin/vigil.js", "dist/web/index.html", "dist/licences.txt", "dist/reference/scalar.js"];
    expect(files.filter((name) => !existsSync(join(folder, "image", name)))).toEqual([]);
  });

  test("starts with only the files of the image", () => {
    const args = [join(folder, "image/dist/bin/vigil.js"), "config", "--json"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: {}, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });
});
