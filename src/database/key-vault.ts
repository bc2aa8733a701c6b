import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Wraps secrets, such as the keys that sign tokens, so that a copy of the database alone cannot sign anything. */
export interface KeyVault {
  /** Wraps a secret under the name `about`; unwrapping requires the same name. */
  wrap(secret: string, about: string): string;
  /**
   * Unwraps a secret; text that was never wrapped is returned unchanged. Undefined if it was wrapped by another vault
   * or under another name.
   */
  unwrap(stored: string, about: string): string | undefined;
}

/** File name of the vault's own key in the data folder. */
export const VAULT_FILE = "signing.key";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_LENGTH_MIN = 32;
const WRAPPED = "wrapped:1:";

/**
 * Opens a vault whose key comes from a setting. Without the setting, the key comes from a file, which the first start
 * creates in the data folder. If the secret is too short, throws an `Error` whose message an operator can act on.
 */
export function keyVault(options: { readonly secret: string | undefined; readonly dataDir: string }): KeyVault {
  const { secret: chosen } = options;
  if (chosen !== undefined && chosen.length < SECRET_LENGTH_MIN) {
    // The message omits the value, because even an invalid secret must not be printed.
    throw new Error(`VIGIL_KEY_SECRET must have at least ${SECRET_LENGTH_MIN} characters, got ${chosen.length}`);
  }
  const secret = chosen ?? secretInFile(options.dataDir);
  const key = Buffer.from(hkdfSync("sha256", secret, "", "vigil signing keys", KEY_BYTES));
  return {
    wrap(text, about) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(about));
      const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return WRAPPED + Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString("base64");
    },
    unwrap(stored, about) {
      if (!stored.startsWith(WRAPPED)) return stored;
      const bytes = Buffer.from(stored.slice(WRAPPED.length), "base64");
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
          .setAAD(Buffer.from(about))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch {
        // Every failure means that this key cannot unwrap the text.
        return undefined;
      }
    },
  };
}

/** True for text that a vault has wrapped. */
export function isWrapped(stored: string): boolean {
  return stored.startsWith(WRAPPED);
}

function secretInFile(dataDir: string): string {
  const file = join(dataDir, VAULT_FILE);
  const stored = textOf(file);
  if (stored !== undefined) return stored;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
  writeFileSync(written, `${randomBytes(KEY_BYTES).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  try {
    // A hard link appears with its whole content or not at all, and never replaces a file created by another process.
    linkSync(written, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(written, { force: true });
  }
  return readFileSync(file, "utf8").trim();
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
