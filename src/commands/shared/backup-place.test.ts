import { expect, test } from "vitest";
import { loadConfig } from "../../app/config.js";
import { backupPlace } from "./backup-place.js";

test.each([
  ["s3:///prefix", "s3:///prefix is not an address like s3://bucket/prefix"],
  [
    "s3://b/p",
    'the name of a bucket has 3 to 63 lower-case letters, digits, dots and hyphens, and begins and ends with a letter or digit; got "b"',
  ],
  ["s3://Bucket", 'got "Bucket"'],
  ["s3://bucket/p", "a backup in S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
])("the place %s is refused: %s", async (place, sentence) => {
  const opened = backupPlace(place, loadConfig({}, []), new AbortController().signal);
  await expect(opened).rejects.toMatchObject({ name: "ConfigError", message: expect.stringContaining(sentence) });
});
