import { Type } from "typebox";

/* The rules for the texts of accounts and keys. They apply to every way in: the API and the command line. */

export const AccountName = Type.String({ minLength: 1, maxLength: 200, description: "Display name" });

export const NewAccountId = Type.String({
  pattern: "^[A-Za-z0-9._@-]{1,128}$",
  maxLength: 128,
  description: "Id of the new account; default: a random one",
});

export const KeyName = Type.String({ minLength: 1, maxLength: 100, description: "Name to recognise the key by" });
