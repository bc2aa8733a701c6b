import { instantText } from "../../format.js";
import { SafeLink } from "../../parts/safe-link.js";
import type { Citation, Claim } from "./brief-text.js";

/** A claim beside the items that it cites. */
export function ClaimRow({ claim }: { readonly claim: Claim }) {
  return (
    <li class="claim">
      <p>
        {claim.text}{" "}
        <span class="quiet">
          {claim.citations.map(({ id }) => `[${id}]`).join("")}
          {claim.citations.length === 0 && "(cites nothing)"}
        </span>
      </p>
      <ul class="citations" aria-label="Evidence">
        {claim.citations.map((citation) => (
          <li key={citation.id}>
            <CitationText citation={citation} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function CitationText({ citation }: { readonly citation: Citation }) {
  const id = <span class="quiet">[{citation.id}]</span>;
  switch (citation.kind) {
    case "evidence": {
      const { label, value, factText, asOf, url } = citation.item;
      return (
        <>
          {id} <strong>{label}</strong>: {value}
          <span class="fact">{factText}</span>
          <span class="quiet">
            <SafeLink href={url}>{hostOf(url)}</SafeLink>, as of {instantText(asOf)} UTC
          </span>
        </>
      );
    }
    case "headline": {
      const { title, source, url, publishedAt } = citation.item;
      return (
        <>
          {id}{" "}
          <SafeLink href={url}>
            <span dir="auto">{title}</span>
          </SafeLink>
          <span class="fact quiet">
            {source}, {instantText(publishedAt)} UTC
          </span>
        </>
      );
    }
    case "missing":
      return <>{id} The answer has no such item.</>;
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}
