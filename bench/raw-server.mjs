// The baseline: node:http serving fixed bytes from memory. argv: port, file with the body, status, and optionally a
// JSON file with the head (a flat list of names and values); without that file, the head has two headers.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file, status, headFile] = process.argv.slice(2);
const body = readFileSync(file);
const bare =
  status === "304"
    ? ["ETag", '"a-fixed-tag"', "Cache-Control", "private, no-cache"]
    : ["Content-Type", "application/json; charset=utf-8", "Content-Length", String(body.length)];
const head = headFile ? JSON.parse(readFileSync(headFile, "utf8")) : bare;
createServer((_request, response) => {
  response.writeHead(Number(status), head).end(status === "304" ? undefined : body);
}).listen(Number(port), "127.0.0.1", () => process.send?.("listening"));
