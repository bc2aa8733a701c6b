import type { CompanyReading } from "../../../src/services/company-monitoring/changes/company-reading.js";
import type { CompanyCursors } from "../../../src/services/company-monitoring/changes/cursors.js";
import { keyHolder } from "../principals.js";

const unexpected = (): never => {
  throw new Error("the test does not expect this call of a port");
};

/**
 * The context of a read operation on companies. A method of the port `reading` that is not passed here fails the test
 * when it is called. Cursors are the JSON of their state.
 */
export function companyContext(reading: Partial<CompanyReading>) {
  const cursors: CompanyCursors = {
    sign: async (_use, state) => JSON.stringify(state),
    open: async (cursor) => JSON.parse(cursor),
    refusal: (reason) => new Error(`refused: ${reason}`),
  };
  const complete: CompanyReading = {
    boundary: unexpected,
    isListable: unexpected,
    companies: unexpected,
    impacts: unexpected,
    changesAfter: unexpected,
    event: unexpected,
    ...reading,
  };
  return { principal: keyHolder, ports: { reading: complete, cursors } };
}
