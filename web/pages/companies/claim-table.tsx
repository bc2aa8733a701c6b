import type { CompanyClaim } from "../../../src/sdk/index.js";
import { enumText, instantText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";

/** The names and identifiers of a company, each with the register that confirms it. */
export function ClaimTable({ claims }: { readonly claims: readonly CompanyClaim[] }) {
  return (
    <>
      <h3>Names and numbers</h3>
      <DataTable caption="Names and numbers" columns={columns} rows={claims} idOf={({ claimId }) => claimId} />
    </>
  );
}

const columns: readonly Column<CompanyClaim>[] = [
  { id: "type", name: "Known by", cell: ({ type }) => enumText(type, "COMPANY_CLAIM_TYPE_") },
  { id: "value", name: "Value", cell: ({ value }) => value },
  { id: "trust", name: "Trust", cell: ({ trustState }) => enumText(trustState, "COMPANY_CLAIM_TRUST_STATE_") },
  {
    id: "verified",
    name: "Confirmed by",
    cell: ({ verifiedBy, verifiedAt }) =>
      verifiedBy === undefined ? (
        <span class="quiet">no register</span>
      ) : (
        `${verifiedBy}${verifiedAt === undefined ? "" : `, ${instantText(verifiedAt)} UTC`}`
      ),
  },
];
