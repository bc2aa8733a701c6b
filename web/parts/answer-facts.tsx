import type { Answer } from "../../src/sdk/index.js";
import { useNow } from "../clock.js";
import { agoText, instantText } from "../format.js";
import { useHref } from "../location.js";
import type { Call } from "../reads/read.js";
import { DatasetSources } from "./dataset-sources.js";
import { Disclosure } from "./disclosure.js";

/**
 * The footer of a view of stored data. It shows the generations that the view was made from, the time of the content,
 * and the publishers of the data. An answer without generations has no footer.
 */
export function AnswerFacts({ answer, call }: { readonly answer: Answer<unknown>; readonly call: Call }) {
  const now = useNow();
  const href = useHref();
  const generations = Object.entries(answer.generation);
  if (generations.length === 0) return null;
  const { lastModified } = answer;
  return (
    <footer class="answer-facts">
      {lastModified && (
        <span title={`${instantText(lastModified)} UTC`}>Content from {agoText(lastModified, now)}</span>
      )}
      {generations.map(([dataset, generation]) => (
        <Disclosure
          key={dataset}
          label={generation === 0 ? `${dataset}, no generation` : `${dataset} ${generation}`}
          name={`${dataset} ${generation}: source and proof`}
        >
          <DatasetSources dataset={dataset} />
          <p>
            <a href={href("/", { dataset })}>History of {dataset}</a>
            {generation > 0 && (
              <>
                {" · "}
                <a
                  href={href("/explorer", {
                    operation: "get-inclusion-proof",
                    params: JSON.stringify({ dataset, generation }),
                  })}
                >
                  Proof of generation {generation}
                </a>
              </>
            )}
          </p>
        </Disclosure>
      ))}
      <span class="quiet">{call.name}</span>
    </footer>
  );
}
