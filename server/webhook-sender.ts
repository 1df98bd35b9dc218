import type { IncomingMessage } from "node:http";

import { contactableAddresses } from "../domains/outside/contactable-addresses.ts";
import { DAY_MS, httpInstant, SECOND_MS } from "../lib/base/clock.ts";
import { retryAfterMs } from "../lib/base/retry-after.ts";
import { MAX_ANSWER, type NoAnswer, type WebhookSender } from "../lib/webhooks/index.ts";
import { bareHost, checkedAddress, sendPinned, type AddressRules } from "./pinned-request.ts";

/** Options of sending to webhooks. */
export interface WebhookSenderOptions extends AddressRules {
  /** How long a receiver may take to answer, in milliseconds. Default 15 seconds. */
  readonly timeoutMs?: number;
}

/** Bytes of an answer that are read. */
const MAX_BYTES = 16_384;

/** Sends to public addresses, over HTTPS unless private networks are allowed. Each request has a connection of its own. */
export function webhookSender({
  timeoutMs = 15 * SECOND_MS,
  ...rules
}: WebhookSenderOptions): WebhookSender {
  const { allowPrivateNetworks } = rules;
  const faultOf = (url: URL): string | undefined => {
    if (url.protocol !== "https:" && !allowPrivateNetworks) return "must begin with https://";
    const host = bareHost(url);
    const isAddress = /^[\d.]+$|:/.test(host);
    return isAddress && contactableAddresses([host], { allowPrivateNetworks }).length === 0
      ? "must name a public address"
      : undefined;
  };
  return {
    faultOf,
    send: async ({ url: text, headers, body }, signal) => {
      const url = new URL(text);
      const fault = faultOf(url);
      if (fault !== undefined) return { fault: "address", said: `The URL ${fault}.` };
      const limit = AbortSignal.timeout(timeoutMs);
      const both = AbortSignal.any([signal, limit]);
      const address = await checkedAddress(url, rules, both);
      if (!address.ok) return noAddress(url, address.failure);
      let response: IncomingMessage;
      try {
        const request = { url, address: address.value, method: "POST", headers, body } as const;
        response = await sendPinned({ ...request, signal: both });
      } catch (error) {
        return limit.aborted ? LATE : failureOf(error);
      }
      const { statusCode: status = 0 } = response;
      const [wait, date] = [response.headers["retry-after"], response.headers.date ?? ""];
      const asked = retryAfterMs(wait, { maxMs: DAY_MS, theirNow: httpInstant(date) });
      return { status, retryAfterMs: asked, text: await beginningOf(response) };
    },
  };
}

const LATE: NoAnswer = { fault: "timeout", said: "The receiver did not answer in time." };

function noAddress(url: URL, fault: "late" | "none" | "private"): NoAnswer {
  const host = bareHost(url);
  switch (fault) {
    case "late":
      return { fault: "timeout", said: `The address of ${host} could not be found in time.` };
    case "none":
      return { fault: "address", said: `${host} has no address.` };
    case "private":
      return { fault: "address", said: `${host} has no public address.` };
  }
}

const TLS = /cert|ssl|tls|altname|self.signed|handshake|EPROTO|WRONG_VERSION/i;
const UNREACHABLE = /ECONNREFUSED|E(?:HOST|NET)UNREACH|EADDRNOTAVAIL|EACCES|ConnectionRefused/i;

/** Says why no response arrived, without the address that was contacted. */
function failureOf(error: unknown): NoAnswer {
  const text = error instanceof Error ? `${Reflect.get(error, "code")} ${error.message}` : "";
  if (UNREACHABLE.test(text)) {
    return { fault: "unreachable", said: "Nothing accepts connections there." };
  }
  if (TLS.test(text))
    return { fault: "tls", said: "The certificate is not trusted, or is missing." };
  return { fault: "cut", said: "The connection ended before an answer arrived." };
}

/** Returns the beginning of an answer as text that a page, a terminal and a log can show. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response) {
      const bytes: Uint8Array = part;
      parts.push(bytes);
      size += bytes.length;
      if (size >= MAX_BYTES) break;
    }
  } catch {
    // The status has arrived, and it decides. What came of the body is shown.
  }
  response.destroy();
  return new TextDecoder()
    .decode(Buffer.concat(parts).subarray(0, MAX_BYTES))
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cf}|\p{Co}/gu, "")
    .trim()
    .slice(0, MAX_ANSWER)
    .toWellFormed();
}
