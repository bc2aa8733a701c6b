import type { OutwardSender } from "../upstream/post-outward.js";
import { type FeedOptions, outgoing } from "./builder.js";

/**
 * Returns the sender of POSTs to addresses that accounts have chosen. The sender is created on first use. In a demo,
 * the sender labels its POSTs as simulated.
 */
export function lazyOutward({ config, clock, kind }: Pick<FeedOptions, "config" | "clock" | "kind">): OutwardSender {
  let sender: Promise<OutwardSender> | undefined;
  const create = async (): Promise<OutwardSender> => {
    const { outwardSender } = await import("../upstream/post-outward.js");
    const headers = kind === "demo" ? { "x-vigil-data": "simulated" } : {};
    return outwardSender({ clock, ...outgoing(config), headers });
  };
  return {
    async post(post, signal) {
      sender ??= create();
      return (await sender).post(post, signal);
    },
    close: async () => (await sender)?.close(),
  };
}
