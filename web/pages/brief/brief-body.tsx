import type { GetCountryIntelBriefResponse } from "../../../src/sdk/index.js";
import { instantText } from "../../format.js";
import { sectionsOf } from "./brief-text.js";
import { ClaimRow } from "./claim-row.js";

const WITHOUT_MODEL = "vigil-extractive/1";

/** The claims of a brief by section, and how the brief was written and checked. */
export function BriefBody({ brief }: { readonly brief: GetCountryIntelBriefResponse }) {
  if (brief.degraded) return <NoText name={brief.countryName} />;
  return (
    <>
      <Method brief={brief} />
      {sectionsOf(brief).map(({ heading, claims }) => (
        <section key={heading} class="brief-section">
          <h3>{heading}</h3>
          <ul class="claims">
            {claims.map((claim) => (
              <ClaimRow key={claim.text} claim={claim} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function withheldText(count: number): string {
  if (count === 0) return "No claim was withheld.";
  if (count === 1) return "1 claim was withheld because of its form or because the evidence does not support it.";
  return `${count} claims were withheld because of their form or because the evidence does not support them.`;
}

function Method({ brief }: { readonly brief: GetCountryIntelBriefResponse }) {
  const { model, generatedAt, claimsWithheld } = brief;
  return (
    <div class="method">
      <p>
        {model === WITHOUT_MODEL ? (
          <>
            Listed from stored facts <strong>without a model</strong> ({model}); evidence collected{" "}
            {instantText(generatedAt)} UTC.
          </>
        ) : (
          <>
            Written by the model <strong>{model}</strong> at {instantText(generatedAt)} UTC.
          </>
        )}{" "}
        {withheldText(claimsWithheld)}
      </p>
      <details>
        <summary>Method and its limits</summary>
        <p class="limits">
          Every number, date, name and direction of a claim must be in the evidence that it cites; otherwise the claim
          is withheld, whether or not a model wrote it. The check does not catch a claim that relates the right names
          and numbers wrongly, or a headline that is false. Evidence that is absent, unreadable or stale is omitted
          without a note; the state above then says partial.
        </p>
      </details>
    </div>
  );
}

/** An answer without text does not say why there is none, so the page lists the possible causes. */
function NoText({ name }: { readonly name: string }) {
  return (
    <div class="notice partial">
      <p>
        <strong>There is no brief text for {name}.</strong> The cause is one of these:
      </p>
      <ul>
        <li>
          The configured model could not be reached, was too slow, or wrote nothing that its evidence supports. It is
          called again after a minute.
        </li>
        <li>No stored fact and no headline is about {name}.</li>
      </ul>
      <p>This does not mean that nothing is happening there.</p>
    </div>
  );
}
