const onDemand = "its numbers come from an upstream at the time of the request, and are not stored";
const asStored = "it serves stored rows, and derives no number from them";
const ofAccount = "it reads data that belongs to accounts, not generations of datasets";
const ofCompanies =
  "it reads data that belongs to accounts, not generations of datasets; its confidence values were derived from the text of findings";
const ofLog = "it reads the Merkle log, whose leaves are checked against their hashes";

/**
 * The operations, account reads and streams whose answers are not recomputed, by service and name, each with the
 * reason.
 */
export const withoutNumbers: Readonly<Record<string, string>> = {
  "account/get-account": ofAccount,
  "account/get-usage": ofAccount,
  "account/list-accounts": ofAccount,
  "account/list-audit-events": ofAccount,
  "account/list-keys": ofAccount,
  "account/list-sessions": ofAccount,
  "aviation/get-carrier-ops": onDemand,
  "aviation/get-flight-status": onDemand,
  "aviation/get-video-live-stream-info": onDemand,
  "aviation/list-airport-flights": onDemand,
  "aviation/list-aviation-news": asStored,
  "aviation/search-flight-prices": onDemand,
  "aviation/search-provider-dates": onDemand,
  "aviation/search-provider-flights": onDemand,
  "aviation/track-aircraft": onDemand,
  "climate/list-climate-news": asStored,
  "company-monitoring/get-company-coverage": ofCompanies,
  "company-monitoring/get-company-material-event": ofCompanies,
  "company-monitoring/get-company-monitoring-status": ofCompanies,
  "company-monitoring/list-company-event-changes": ofCompanies,
  "company-monitoring/list-company-event-impacts": ofCompanies,
  "company-monitoring/list-monitored-companies": ofCompanies,
  "company-monitoring/stream-company-event-changes": ofCompanies,
  "datasets/list-dataset-changes": "it reads the log of changes; the content of generations is checked separately",
  "datasets/list-dataset-states": "it reads the log of changes; the content of generations is checked separately",
  "datasets/stream-dataset-changes": "it reads the log of changes; the content of generations is checked separately",
  "economic/get-us-treasury-par-yield-curve": asStored,
  "intelligence/get-country-intel-brief": "it repeats the numbers of stored facts, and those facts are recomputed",
  "intelligence/list-material-events": asStored,
  "market/get-insider-transactions": onDemand,
  "proofs/get-consistency-proof": ofLog,
  "proofs/get-inclusion-proof": ofLog,
  "proofs/get-signed-head": ofLog,
  "watches/get-watch": ofAccount,
  "watches/list-watch-firings": ofAccount,
  "watches/list-watches": ofAccount,
  "watches/stream-watch-firings": ofAccount,
  "webhooks/list-webhook-deliveries": ofAccount,
  "webhooks/list-webhook-endpoints": ofAccount,
};
