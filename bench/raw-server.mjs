// The baseline: node:http answering with given bytes from memory. argv: port, file of the body, status.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file, status] = process.argv.slice(2);
const body = readFileSync(file);
const etag = '"a-fixed-tag"';
createServer((_request, response) => {
  if (status === "304") response.writeHead(304, { ETag: etag }).end();
  else
    response
      .writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Content-Length": body.length, ETag: etag })
      .end(body);
}).listen(Number(port), "127.0.0.1", () => process.send?.("listening"));
