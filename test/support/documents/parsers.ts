import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parsedYaml } from "yaml";
import { freePort } from "../process.js";
import type { CodeBlock } from "./blocks.js";

/** Parses the code of a block, and throws if it is not valid in its language. */
export type Parser = (block: CodeBlock) => Promise<unknown> | unknown;

/** The languages of blocks that are parsed rather than run. */
export const parsers: Readonly<Record<string, Parser>> = {
  json: ({ code }) => JSON.parse(code) as unknown,
  yaml: checkedYaml,
  ini: checkedIni,
  nginx: checkedNginx,
  caddyfile: checkedCaddyfile,
};

const isInstalled = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

/** Checks YAML. Prometheus rules and settings are also checked by promtool, if it is installed. */
function checkedYaml({ code }: CodeBlock): void {
  const document = parsedYaml(code) as object;
  if (!isInstalled("promtool")) return;
  const check = "scrape_configs" in document ? ["check", "config", "--syntax-only"] : ["check", "rules"];
  inFile("prometheus.yml", code, (file) => execFileSync("promtool", [...check, file], { stdio: "pipe" }));
}

/** Checks a systemd unit or a file of variables. A unit is also checked by systemd-analyze, if it is installed. */
function checkedIni({ code }: CodeBlock): void {
  const lines = code.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of lines) {
    if (!/^\[\w+\]$|^\w+=\S/.test(line)) throw new Error(`neither a section nor a value: ${line}`);
  }
  if (!/^\[Unit\]$/m.test(code) || !isInstalled("systemd-analyze")) return;
  const runnable = code.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
  inFile("vigil.service", runnable, (file) => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    // Other units on the machine may be faulty.
    const own = stderr.split("\n").filter((line) => line.includes("vigil.service"));
    if (status !== 0 && own.length > 0) throw new Error(own.join("\n"));
  });
}

/** True if the installed nginx is version 1.25.1 or newer. */
function hasHttp2Directive(): boolean {
  const { stderr } = spawnSync("nginx", ["-v"], { encoding: "utf8" });
  const [, major = 0, minor = 0, patch = 0] = (/(\d+)\.(\d+)\.(\d+)/.exec(stderr) ?? []).map(Number);
  return major > 1 || minor > 25 || (minor === 25 && patch >= 1);
}

/** Checks nginx settings with nginx itself, if it is installed. Settings without a `server` block are put into one. */
async function checkedNginx({ code }: CodeBlock): Promise<void> {
  if (!isInstalled("nginx")) return;
  const port = await freePort();
  const server = code.includes("server {") ? code : `server {\n${code}}\n`;
  inFolder((folder) => {
    const certificate = [
      "-subj",
      "/CN=vigil.example",
      "-keyout",
      join(folder, "key.pem"),
      "-out",
      join(folder, "cert.pem"),
    ];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...certificate], {
      stdio: "pipe",
    });
    const text = server
      .replace(/^http2 on;\n/m, hasHttp2Directive() ? "$&" : "")
      .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
      .replace(/ssl_certificate +\S+;/, `ssl_certificate ${folder}/cert.pem;`)
      .replace(/ssl_certificate_key +\S+;/, `ssl_certificate_key ${folder}/key.pem;`);
    const file = join(folder, "nginx.conf");
    writeFileSync(file, `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${text}}\n`);
    execFileSync("nginx", ["-t", "-q", "-p", folder, "-e", "stderr", "-c", file], { stdio: "pipe" });
  });
}

/** Checks Caddy settings with Caddy itself, if it is installed. */
function checkedCaddyfile({ code }: CodeBlock): void {
  if (!isInstalled("caddy")) return;
  inFile("Caddyfile", code, (file) => {
    execFileSync("caddy", ["adapt", "--validate", "--adapter", "caddyfile", "--config", file], {
      stdio: "pipe",
      env: { HOME: join(file, "..") },
    });
  });
}

function inFile(name: string, text: string, use: (file: string) => void): void {
  inFolder((folder) => {
    writeFileSync(join(folder, name), text);
    use(join(folder, name));
  });
}

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "vigil-parsed-"));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
