import { registrantOf } from "../../../simulator/models/registrants.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { filingOf, originalOn } from "./models/ownership.js";

/** Simulates EDGAR's archive: serves ownership reports (form 4) as XML. */
export const upstream = simulatedUpstream({
  name: "sec-ownership-documents",
  routes: [
    {
      host: "www.sec.gov",
      path: "/Archives/edgar/data/*",
      handle: answerReport,
      variants: {
        changed: (xml) => xml.replaceAll("issuer>", "company>"),
        empty: (xml) => xml.replace(/<nonDerivativeTransaction>[\s\S]*<\/nonDerivativeTransaction>\n/, ""),
        badRow: (xml) =>
          rewriteMiddle(xml, /<transactionDate><value>[^<]*/g, () => "<transactionDate><value>2026-02-31"),
      },
    },
  ],
});

function answerReport({ url, seed }: SimulatedRequest): SimulatedAnswer {
  const [, folder, slotText] = /\/data\/(\d{1,10})\/\d{12}(\d{6})\/form4\.xml$/.exec(url.pathname) ?? [];
  const cik = Number(folder);
  const registrant = registrantOf(cik);
  if (registrant === undefined || slotText === undefined) {
    return { status: 404, contentType: "text/html", body: "<html><body>Not found</body></html>" };
  }
  const { form, slot, owner, tradedOn, lines } = filingOf(seed, cik, Number(slotText));
  const original =
    form === "4/A" ? `    <dateOfOriginalSubmission>${originalOn(slot)}</dateOfOriginalSubmission>\n` : "";
  const body = `<?xml version="1.0"?>
<ownershipDocument>
    <schemaVersion>X0508</schemaVersion>
    <documentType>${form}</documentType>
    <periodOfReport>${tradedOn}</periodOfReport>
${original}    <issuer>
        <issuerCik>${String(cik).padStart(10, "0")}</issuerCik>
        <issuerName>${registrant.name.replace("&", "&amp;")}</issuerName>
        <issuerTradingSymbol>${registrant.ticker}</issuerTradingSymbol>
    </issuer>
    <reportingOwner>
        <reportingOwnerId>
            <rptOwnerCik>${String(owner.cik).padStart(10, "0")}</rptOwnerCik>
            <rptOwnerName>${owner.name}</rptOwnerName>
        </reportingOwnerId>
    </reportingOwner>
    <nonDerivativeTable>
${lines.map((line) => transactionOf(line, tradedOn)).join("")}    </nonDerivativeTable>
</ownershipDocument>
`;
  return { status: 200, contentType: "application/xml", body };
}

function transactionOf(
  { code, shares, price }: { readonly code: string; readonly shares: number; readonly price: number },
  tradedOn: string,
): string {
  const isDisposal = code === "S" || code === "F" || code === "G";
  return `        <nonDerivativeTransaction>
            <securityTitle><value>Common Stock</value></securityTitle>
            <transactionDate><value>${tradedOn}</value></transactionDate>
            <transactionCoding>
                <transactionFormType>4</transactionFormType>
                <transactionCode>${code}</transactionCode>
                <equitySwapInvolved>0</equitySwapInvolved>
            </transactionCoding>
            <transactionAmounts>
                <transactionShares><value>${shares}</value></transactionShares>
                <transactionPricePerShare>${price > 200 ? '<footnoteId id="F1"/>' : `<value>${price}</value>`}</transactionPricePerShare>
                <transactionAcquiredDisposedCode><value>${isDisposal ? "D" : "A"}</value></transactionAcquiredDisposedCode>
            </transactionAmounts>
        </nonDerivativeTransaction>
`;
}
