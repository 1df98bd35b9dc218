import { SECOND_MS, type Clock } from "../base/clock.ts";
import { utf8, type Digest } from "../base/digest.ts";
import type { Seal } from "../base/seal.ts";
import { keyOfSecret, webhookSignature } from "../base/webhook-signature.ts";
import type { Webhook } from "./model.ts";
import type { OutgoingWebhook } from "./sender.ts";

/** Makes the request of a message. Rejects if a secret cannot be opened. */
export type Sign = (
  webhook: Pick<Webhook, "id" | "url" | "sealed" | "previous">,
  message: { readonly id: string; readonly body: string },
) => Promise<OutgoingWebhook>;

/** Creates a function that signs with the secret of a webhook, and with the previous one during a rotation. */
export function createSign({
  seal,
  digest,
  clock,
}: {
  readonly seal: Seal;
  readonly digest: Digest;
  readonly clock: Clock;
}): Sign {
  return async ({ id: webhookId, url, sealed, previous }, { id, body }) => {
    const now = clock.now();
    const timestamp = String(Math.floor(now / SECOND_MS));
    const both =
      previous === undefined || previous.until <= now ? [sealed] : [sealed, previous.sealed];
    const signatures = await Promise.all(
      both.map(async (one) => {
        const key = keyOfSecret(await seal.open(one, webhookId));
        if (key === undefined) throw new Error("The secret of a webhook has no key.");
        return webhookSignature(digest, key, { id, timestamp, body: utf8(body) });
      }),
    );
    return {
      url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Petstore-Webhooks/1",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": signatures.join(" "),
      },
      body,
    };
  };
}
