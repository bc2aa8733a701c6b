/** Type of a test message. */
export const TEST_EVENT = "webhook.test";

export interface Message {
  readonly event: string;
  /** Epoch ms. */
  readonly at: number;
  /** JSON. */
  readonly data: string;
  /** True for a message from a demo. */
  readonly isSimulated: boolean;
}

/** Writes the body of a message in the Standard Webhooks format. Demo messages are labelled as such. */
export function messageBody({ event, at, data, isSimulated }: Message): string {
  const label = isSimulated ? ',"simulated":true' : "";
  return `{"type":${JSON.stringify(event)},"timestamp":"${new Date(at).toISOString()}"${label},"data":${data}}`;
}
