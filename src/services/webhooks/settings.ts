import { originIn } from "../../contract/outward.js";
import { list, type Setting } from "../../contract/setting.js";

const origins = list(
  "VIGIL_WEBHOOK_PRIVATE_TARGETS",
  "Origins with a private address, such as http://10.0.0.5:8080, to which webhooks may be sent. They may use http and any port.",
);

export const privateTargets: Setting<readonly string[]> = {
  ...origins,
  read: (text) =>
    origins.read(text).map((item) => {
      const origin = originIn(item);
      if (origin === undefined) throw new Error("must list origins such as http://10.0.0.5:8080");
      return origin;
    }),
};

/** Only the command `vigil webhook listen` reads this setting. */
export const listenerSecrets: Setting<readonly string[]> = {
  ...list("VIGIL_WEBHOOK_SECRET", "Endpoint secrets with which `vigil webhook listen` verifies messages."),
  isSecret: true,
};
