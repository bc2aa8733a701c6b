import { list, type Setting } from "./setting.js";

const addresses = list(
  "VIGIL_SECURITY_CONTACT",
  "Addresses for reports of vulnerabilities (mailto:… or https://…), comma-separated, for /.well-known/security.txt.",
);

/** Contacts for reports of vulnerabilities: the `Contact` lines of RFC 9116. */
export const securityContact: Setting<readonly string[]> = {
  ...addresses,
  read(text) {
    const contacts = addresses.read(text);
    if (contacts.every((contact) => CONTACT.test(contact))) return contacts;
    throw new Error("must be addresses that begin with mailto: or https://");
  },
};

const CONTACT = /^(?:mailto:[!-~]{1,250}|https:\/\/[!-~]{1,2000})$/;
