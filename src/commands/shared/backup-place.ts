import { resolve } from "node:path";
import { rootCertificates } from "node:tls";
import { type Config, ConfigError } from "../../app/config.js";
import { folderPlace } from "../../backup/backup-folder.js";
import type { BackupPlace } from "../../backup/backup-place.js";
import { systemClock } from "../../kit/clock.js";
import { systemRandom } from "../../kit/random.js";

const S3 = /^s3:\/\/([^/]+)(?:\/(.*))?$/;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Parses the location of a backup from the command line: a folder, or `s3://bucket/prefix`. Throws `ConfigError`. */
export async function backupPlace(text: string, config: Config, signal: AbortSignal): Promise<BackupPlace> {
  if (!text.startsWith("s3://")) return folderPlace(resolve(text));
  const [, bucket, path = ""] = S3.exec(text) ?? [];
  if (bucket === undefined) throw new ConfigError(`${text} is not an address like s3://bucket/prefix`);
  if (!BUCKET.test(bucket)) {
    const rule = "3 to 63 lower-case letters, digits, dots and hyphens, and begins and ends with a letter or digit";
    throw new ConfigError(`the name of a bucket has ${rule}; got "${bucket}"`);
  }
  const { s3AccessKeyId, s3SecretAccessKey, s3SessionToken, s3Region, s3Endpoint, extraCa } = config;
  if (s3AccessKeyId === undefined || s3SecretAccessKey === undefined) {
    throw new ConfigError("a backup in S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  const endpoint = s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`;
  if (!URL.canParse(endpoint)) throw new ConfigError(`AWS_ENDPOINT_URL must be an address, got "${endpoint}"`);
  const { httpProxy, httpsProxy, noProxy } = config;
  const prefix = path
    .split("/")
    .filter((part) => part !== "")
    .join("/");
  const { objectStore } = await import("../../backup/s3/object-store.js");
  const { s3Place } = await import("../../backup/s3/s3-place.js");
  const objects = objectStore({
    endpoint,
    bucket,
    credentials: {
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey,
      sessionToken: s3SessionToken,
      region: s3Region,
    },
    now: systemClock.now,
    random: systemRandom,
    ca: extraCa === undefined ? undefined : [...rootCertificates, extraCa],
    proxies: { httpProxy, httpsProxy, noProxy },
    signal,
  });
  return s3Place({ bucket, prefix: prefix === "" ? "" : `${prefix}/`, objects, now: systemClock.now });
}
