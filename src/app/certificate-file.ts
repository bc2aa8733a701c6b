import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { optionalText, type Setting } from "../contract/setting.js";

const BEGIN = "-----BEGIN CERTIFICATE-----";

/** A file of certificates in PEM. Its value is the text of the file, so that a wrong path or file stops the start. */
export const certificateFile = (name: string, description: string): Setting<string | undefined> => ({
  ...optionalText(name, description),
  read: (path) => (path === "" ? undefined : certificatesIn(path)),
});

function certificatesIn(path: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`must be a readable PEM file (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  const [, ...certificates] = pem.split(BEGIN);
  if (certificates.length === 0) throw new Error("must be a PEM file with at least one certificate");
  for (const [index, rest] of certificates.entries()) {
    try {
      new X509Certificate(BEGIN + rest);
    } catch (error) {
      throw new Error(`must be a PEM file of certificates; its certificate ${index + 1} cannot be read`, {
        cause: error,
      });
    }
  }
  return pem;
}
