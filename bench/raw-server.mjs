// The baseline: node:http serving fixed bytes from memory. argv: a JSON file with a list of answers,
// `{ port, file, status, headFile }`. `file` has the body. `headFile` is optional and has the head as JSON, a flat list
// of names and values; without it, the head has two headers.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

async function serve({ port, file, status, headFile }) {
  const body = readFileSync(file);
  const bare =
    status === "304"
      ? ["ETag", '"a-fixed-tag"', "Cache-Control", "private, no-cache"]
      : ["Content-Type", "application/json; charset=utf-8", "Content-Length", String(body.length)];
  const head = headFile ? JSON.parse(readFileSync(headFile, "utf8")) : bare;
  const server = createServer((_request, response) => {
    response.writeHead(Number(status), head).end(status === "304" ? undefined : body);
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
}

// Ends this process when the benchmark ends, even if the benchmark is killed.
process.once("disconnect", () => process.exit());
await Promise.all(JSON.parse(readFileSync(process.argv[2], "utf8")).map(serve));
process.send?.("listening");
