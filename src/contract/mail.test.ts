import { describe, expect, test } from "vitest";
import { mailAddressOf, mailFrom, smtpUrl } from "./mail.js";

describe("VIGIL_SMTP_URL", () => {
  test.each([
    ["smtps://u:p@mail.example.com", 465, "from the start"],
    ["smtp://u:p@mail.example.com", 587, "by STARTTLS"],
    ["smtp://mail.example.com:25", 25, "by STARTTLS"],
    ["smtp://mail.example.com:25?starttls=off", 25, "none"],
    ["smtp://localhost:1025", 1_025, "none"],
    ["smtps://localhost", 465, "from the start"],
    ["smtp://[::1]:25", 25, "none"],
  ])("%s selects port %s and TLS %s", (text, port, tls) => {
    expect(smtpUrl.read(text)).toMatchObject({ port, tls });
  });

  test("the login in the address is percent-decoded", () => {
    expect(smtpUrl.read("smtps://a%40b.example:p%2Fw@mail.example.com")).toEqual({
      host: "mail.example.com",
      port: 465,
      tls: "from the start",
      login: { user: "a@b.example", password: "p/w" },
    });
  });

  test.each([
    "https://u:hunter2@mail.example.com",
    "smtp://u:hunter2@mail.example.com?starttls=off",
    "smtps://u:hunter2@mail.example.com?starttls=off",
    "smtp://u:hunter2@mail.example.com?rejectUnauthorized=false",
    "smtps://u:hunter2%zz@mail.example.com",
    "smtps://hunter2@mail.example.com",
    "smtps://u:hunter2@mail.example.com/path",
    "u:hunter2@mail.example.com",
  ])("%s is refused with an error that does not contain the password", (text) => {
    expect(() => smtpUrl.read(text)).toThrow(/^must|^may/);
    expect(() => smtpUrl.read(text)).not.toThrow(/hunter2/);
  });
});

test("VIGIL_MAIL_FROM must be a plain address", () => {
  expect(mailFrom.read("Vigil@Example.com")).toBe("Vigil@Example.com");
  expect(() => mailFrom.read("Vigil <vigil@example.com>")).toThrow("must be an address such as vigil@example.com");
});

describe("an email address", () => {
  test.each(["a@example.com", "first.last+tag@sub.example.co", "o'hara@xn--bcher-kva.example"])(
    "%s is accepted",
    (text) => {
      expect(mailAddressOf(text)).toBe(text);
    },
  );

  test("an email address is converted to lower case", () => {
    expect(mailAddressOf("Ann@Example.COM")).toBe("ann@example.com");
  });

  test.each([
    "",
    "a",
    "@example.com",
    "a@localhost",
    "a@127.0.0.1",
    "a@[127.0.0.1]",
    "a@b@example.com",
    "a..b@example.com",
    '"a b"@example.com',
    "a@example.com\r\nBcc: b@example.com",
    "a@example.com,b@example.com",
    "a@example.com ",
    "ü@example.com",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(250)}.com`,
  ])("%j is refused", (text) => {
    expect(mailAddressOf(text)).toBeUndefined();
  });
});
