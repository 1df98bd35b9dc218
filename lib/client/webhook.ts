import { equalTexts, utf8, webDigest } from "../base/digest.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { keyOfSecret, webhookSignature } from "../base/webhook-signature.ts";

/** Why a message was not verified. */
export type WebhookFault =
  | "missing_header"
  | "invalid_timestamp"
  | "too_old"
  | "too_new"
  | "wrong_signature"
  | "invalid_body";

/** The message is not from the service, or was sent too long ago. Answer with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** A message of a webhook. */
export interface WebhookMessage<Type extends string = string, Data = unknown> {
  /** The type of the event, such as `pet.created`; `webhook.test` for a test. */
  readonly type: Type;
  /** When the event happened (RFC 3339). */
  readonly timestamp: string;
  /** The number of the event; absent in a test. */
  readonly seq?: number;
  readonly accountId?: string;
  readonly environment?: "production" | "staging";
  /** Who caused the event. */
  readonly actor?: { readonly kind: string; readonly id?: string };
  readonly data: Data;
}

/** A verified message. */
export interface VerifiedWebhook {
  /** The `webhook-id`: the same at each attempt. Keep it, to ignore a message that arrives again. */
  readonly id: string;
  /** When the message was sent, in milliseconds since the Unix epoch. */
  readonly sentAt: number;
  readonly message: WebhookMessage;
}

/** Options of `verifyWebhook`. */
export interface VerifyWebhookOptions {
  /** The secret of the webhook, `whsec_…`; during a rotation both. */
  readonly secret: string | readonly string[];
  /** By how many seconds the times of sender and receiver may differ. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The time. Default: the machine's. */
  readonly clock?: Pick<Clock, "now"> | undefined;
}

/** A request as `verifyWebhook` takes it: of the Fetch API, or the headers and the body as they arrived. */
export type WebhookRequest =
  | Request
  | {
      readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
      /** The body as it arrived: parsing and encoding it again changes it. */
      readonly body: string | Uint8Array;
    };

const TOLERANCE_SECONDS = 300;
/** Signatures of a message that are compared. A rotation needs two. */
const MAX_SIGNATURES = 16;

/**
 * Verifies a message of a webhook by Standard Webhooks: that the service has signed this body, and that it was sent a short
 * while ago. Rejects with `WebhookVerificationError`, or with a TypeError for a secret that is none. It compares in constant
 * time. Reads the body of a `Request`.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  { secret, toleranceSeconds = TOLERANCE_SECONDS, clock = systemClock }: VerifyWebhookOptions,
): Promise<VerifiedWebhook> {
  const keys = (typeof secret === "string" ? [secret] : secret).map(keyIn);
  if (keys.length === 0) throw new TypeError("verifyWebhook needs a secret.");
  // Compared with NaN, no message would be too old.
  if (!(toleranceSeconds >= 0)) {
    throw new TypeError("verifyWebhook: toleranceSeconds must be a number of at least 0.");
  }
  const id = headerOf(request, "webhook-id");
  const timestamp = headerOf(request, "webhook-timestamp");
  const signatures = headerOf(request, "webhook-signature").split(" ", MAX_SIGNATURES);
  const sentAt = timeIn(timestamp, clock.now(), toleranceSeconds);
  const body = await bodyOf(request);
  const wanted = await Promise.all(
    keys.map((key) => webhookSignature(webDigest, key, { id, timestamp, body })),
  );
  // All pairs, whatever the first ones are.
  const right = wanted.flatMap((one) => signatures.filter((given) => equalTexts(one, given)));
  if (right.length === 0) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "No signature of the message fits the secret. Pass the body as it arrived, and the secret of this webhook.",
    );
  }
  return { id, sentAt, message: messageIn(body) };
}

function keyIn(secret: string): Uint8Array {
  const key = typeof secret === "string" ? keyOfSecret(secret) : undefined;
  if (key === undefined) {
    throw new TypeError("verifyWebhook: the secret must look like whsec_ and 44 characters.");
  }
  return key;
}

function headerOf({ headers }: WebhookRequest, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : plainHeader(headers, name);
  if (value === null || value === "") {
    throw new WebhookVerificationError("missing_header", `The message lacks the header ${name}.`);
  }
  return value;
}

function plainHeader(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | null {
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : (found?.join(" ") ?? null);
}

function timeIn(timestamp: string, now: number, toleranceSeconds: number): number {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      "invalid_timestamp",
      "The header webhook-timestamp is not a time in seconds.",
    );
  }
  const ageSeconds = Math.floor(now / 1_000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      "too_old",
      `The message was sent ${ageSeconds} seconds ago: it is not accepted after ${toleranceSeconds}.`,
    );
  }
  if (-ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      "too_new",
      `The message was sent ${-ageSeconds} seconds in the future. Check the clock of this machine.`,
    );
  }
  return Number(timestamp) * 1_000;
}

async function bodyOf(request: WebhookRequest): Promise<Uint8Array> {
  if (request instanceof Request) return new Uint8Array(await request.arrayBuffer());
  return typeof request.body === "string" ? utf8(request.body) : request.body;
}

function messageIn(body: Uint8Array): WebhookMessage {
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(body));
    if (isMessage(message)) return message;
  } catch {
    // Reported below.
  }
  throw new WebhookVerificationError("invalid_body", "The body is not a message of a webhook.");
}

function isMessage(value: unknown): value is WebhookMessage {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    "timestamp" in value &&
    "data" in value
  );
}
