// Runs nginx with one worker that serves a fixed body from a file, with fixed headers.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pinned } from "./load.mjs";

const BINARY = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"].find(existsSync);

export const hasNginx = BINARY !== undefined;

/** Serves `file` at `/` on `port` with the headers in `head`. Returns `{ stop }`. nginx must be installed. */
export async function startNginx(folder, port, file, head) {
  const home = join(folder, "nginx");
  mkdirSync(home, { recursive: true });
  const quoted = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  // nginx sets these four headers itself.
  const own = head.filter(([name]) => !["content-length", "content-type", "etag", "last-modified"].includes(name));
  const config = `
daemon off; worker_processes 1; pid ${home}/pid; error_log ${home}/error.log; user root;
events { worker_connections 256; }
http {
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600; sendfile on; tcp_nopush on;
  open_file_cache max=16; open_file_cache_valid 600;
  client_body_temp_path ${home}; proxy_temp_path ${home}; fastcgi_temp_path ${home}; uwsgi_temp_path ${home}; scgi_temp_path ${home};
  server {
    listen 127.0.0.1:${port};
    location = / {
      root ${folder}; try_files /${file} =404; default_type "application/json; charset=utf-8";
      ${own.map(([name, value]) => `add_header ${quoted(name)} ${quoted(value)};`).join("\n      ")}
    }
  }
}`;
  writeFileSync(join(home, "nginx.conf"), config);
  const [command, ...rest] = pinned(0, [BINARY, "-p", home, "-c", join(home, "nginx.conf")]);
  const child = spawn(command, rest, { stdio: ["ignore", "ignore", "inherit"] });
  const end = performance.now() + 5_000;
  while (
    !(await fetch(`http://127.0.0.1:${port}/`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (performance.now() > end) throw new Error("nginx did not answer within 5 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { stop: () => new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGTERM")) };
}
