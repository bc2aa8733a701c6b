import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SourceRequest } from "../../contract/source.js";
import type { UpstreamAnswer, UpstreamClient } from "../../upstream/answer.js";
import { secretsOf } from "../../upstream/redact.js";

/** A client that saves every answer to a folder that `demo --recorded` can read. */
export interface RecordingClient extends UpstreamClient {
  /** Writes the list of saved answers and returns their number. Call it once, at the end. */
  writeIndex(capturedAt: number): Promise<number>;
}

interface RecordedAnswer {
  readonly url: string;
  readonly file: string;
  readonly status: 200;
  readonly contentType?: string;
}

/** Saved in place of an answer that grants a token, because the token is a secret. */
const TOKEN_ANSWER = JSON.stringify({ access_token: "recorded", token_type: "Bearer", expires_in: 86_400 });

/** Saves the answers of `client` in `folder`. Keys, tokens and the answers that grant tokens are never saved. */
export function recordingClient(client: UpstreamClient, folder: string, secrets: readonly string[]): RecordingClient {
  const recorded = new Map<string, RecordedAnswer>();

  async function save(request: SourceRequest, answer: UpstreamAnswer): Promise<void> {
    const body =
      request.secretForm === undefined ? withoutSecrets(request, answer, secrets) : Buffer.from(TOKEN_ANSWER);
    const { host } = new URL(answer.url);
    const name = createHash("sha256").update(answer.url).digest("hex").slice(0, 16);
    const file = `${host.replaceAll(":", "_")}/${name}`;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), body);
    const { contentType } = answer;
    recorded.set(answer.url, { url: answer.url, file, status: 200, ...(contentType !== undefined && { contentType }) });
  }

  return {
    async fetch(request, call) {
      const answer = await client.fetch(request, call);
      if (!answer.notModified) await save(request, answer);
      return answer;
    },
    async writeIndex(capturedAt) {
      const files = [...recorded.values()].sort((a, b) => a.url.localeCompare(b.url));
      await mkdir(folder, { recursive: true });
      const index = { capturedAt: new Date(capturedAt).toISOString(), files };
      await writeFile(join(folder, "index.json"), `${JSON.stringify(index, null, 2)}\n`);
      return files.length;
    },
    close: () => client.close(),
  };
}

/** Removes the secrets that the upstream has echoed in the body. Each is replaced with a string of the same length. */
function withoutSecrets(request: SourceRequest, { bytes }: UpstreamAnswer, secrets: readonly string[]): Buffer {
  const all = [...new Set([...secretsOf(request), ...secrets])].sort((a, b) => b.length - a.length);
  const echoed = all.filter((secret) => bytes.includes(secret));
  if (echoed.length === 0) return bytes;
  const text = echoed.reduce(
    (shown, secret) => shown.replaceAll(Buffer.from(secret).toString("latin1"), "x".repeat(Buffer.byteLength(secret))),
    bytes.toString("latin1"),
  );
  return Buffer.from(text, "latin1");
}
