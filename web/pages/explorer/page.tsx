import { useEffect, useState } from "preact/hooks";
import { vigil } from "../../client.js";
import { setParams, useParam } from "../../location.js";
import { CodeText } from "../../parts/code-text.js";
import { failureText } from "../../reads/failure-text.js";
import { type OpenApi, type Operation, operationsOf, paramsIn } from "./catalogue.js";
import { OperationForm } from "./operation-form.js";
import { ReadAnswer } from "./read-answer.js";
import { WriteForm } from "./write-form.js";
import "./explorer.css";

const FIRST = "get-us-cpi-monthly";

/** Every call of the service as a form generated from its schema, with its answer. */
export default function Explorer() {
  const [operations, setOperations] = useState<readonly Operation[]>();
  const [failure, setFailure] = useState<unknown>();
  const [name] = useParam("operation", FIRST);
  const [params] = useParam("params");
  useEffect(() => {
    const stop = new AbortController();
    // The document is read from the service, because the service's own document always matches its version.
    vigil.get("/openapi.json", { signal: stop.signal }).then(
      ({ data }) => setOperations(operationsOf(data as OpenApi)),
      (error: unknown) => {
        if (!stop.signal.aborted) setFailure(error);
      },
    );
    return () => stop.abort();
  }, []);
  const operation = operations?.find((candidate) => candidate.name === name);
  return (
    <>
      <h1>Explorer</h1>
      {failure !== undefined && (
        <p class="notice failed" role="alert">
          {failureText(failure)}
        </p>
      )}
      {operations === undefined && failure === undefined && (
        <div class="skeleton" role="status" aria-label="Reading the operations" />
      )}
      {operations && (
        <section class="card">
          <OperationChoice operations={operations} chosen={name} />
          {operation ? (
            <>
              <h2>{operation.summary}</h2>
              <p class="prose">
                <CodeText text={operation.description} />
              </p>
              <p class="quiet">
                <code>
                  {operation.isWrite ? "POST" : "GET"} {operation.path}
                </code>
                {operation.tier !== undefined && ` · needs a plan of tier ${operation.tier}`}
                {" · "}
                <a href={`/docs/operations/${operation.service}`}>Documents</a>
              </p>
              {operation.isWrite ? (
                <WriteForm key={name} operation={operation} />
              ) : (
                <OperationForm
                  key={`${name} ${params}`}
                  operation={operation}
                  values={paramsIn(params)}
                  onSend={(values) => setParams({ operation: name, params: JSON.stringify(values) })}
                />
              )}
            </>
          ) : (
            <p class="notice">This service has no operation named {name}.</p>
          )}
        </section>
      )}
      {operation && !operation.isWrite && <ReadAnswer key={name} operation={operation} params={paramsIn(params)} />}
    </>
  );
}

interface OperationChoiceProps {
  readonly operations: readonly Operation[];
  readonly chosen: string;
}

function OperationChoice({ operations, chosen }: OperationChoiceProps) {
  const services = [...new Set(operations.map(({ service }) => service))];
  return (
    <p class="field">
      <label for="operation">Operation</label>
      <select
        id="operation"
        value={chosen}
        onChange={({ currentTarget }) =>
          setParams({ operation: currentTarget.value, params: undefined, jmespath: undefined })
        }
      >
        {services.map((service) => (
          <optgroup key={service} label={service}>
            {operations
              .filter((operation) => operation.service === service)
              .map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </p>
  );
}
