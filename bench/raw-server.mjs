// The baseline: node:http answering with given bytes from memory. argv: port, file of the body, status, and a file with
// the head to send as JSON (a flat list of names and values), or nothing for the barest head.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file, status, headFile] = process.argv.slice(2);
const body = readFileSync(file);
const bare = [
  "Content-Type",
  "application/json; charset=utf-8",
  "Content-Length",
  String(body.length),
  "ETag",
  '"a-fixed-tag"',
];
const head = headFile ? JSON.parse(readFileSync(headFile, "utf8")) : status === "304" ? bare.slice(4) : bare;
createServer((_request, response) => {
  response.writeHead(Number(status), head).end(status === "304" ? undefined : body);
}).listen(Number(port), "127.0.0.1", () => process.send?.("listening"));
