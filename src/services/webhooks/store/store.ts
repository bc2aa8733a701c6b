import { serviceStore, storePort } from "../../../database/service-store.js";
import { webhookDeliveries, webhookEndpoints } from "../ports.js";
import { deliveryStore } from "./delivery-store.js";
import { endpointStore } from "./endpoint-store.js";
import { expiryJob, fanOutJob, sendJob } from "./jobs.js";
import { webhookMigrations } from "./migrations.js";
import { thinWebhooks, webhookFigures } from "./upkeep.js";

export const webhookStore = serviceStore({
  migrations: () => webhookMigrations,
  figures: webhookFigures,
  jobs: [fanOutJob, sendJob, expiryJob],
  thin: thinWebhooks,
  ports: (parts) => [
    storePort(webhookEndpoints, (call) => endpointStore(parts, call)),
    storePort(webhookDeliveries, (call) => deliveryStore(parts, call)),
  ],
});
