import { expect, test } from "bun:test";

import { Webhook } from "standardwebhooks";

import { webDigest } from "../../../lib/base/digest.ts";
import { createSeal } from "../../../lib/base/seal.ts";
import { keyOfSecret, webhookSecret } from "../../../lib/base/webhook-signature.ts";
import { verifyWebhook, type WebhookRequest } from "../../../lib/client/index.ts";
import { createSign } from "../../../lib/webhooks/sign.ts";
import { rejection } from "../../helpers/rejection.ts";

const AT = Date.now();
const clock = { now: () => AT, sleep: () => Promise.resolve() };
const random = (into: Uint8Array): Uint8Array => crypto.getRandomValues(into);
const secretOf = (bytes = 32): string => webhookSecret(random(new Uint8Array(bytes)));
const [secret, other] = [secretOf(), secretOf()];
const body = JSON.stringify({
  type: "pet.created",
  timestamp: "2026-11-20T09:30:00.000Z",
  data: { pet: { name: "Zoë 🦔" } },
});
const seconds = String(Math.floor(AT / 1_000));

/** Signs as the service does. */
async function signed(own: string, previous?: string) {
  const seal = createSeal(() => new Uint8Array(32), random);
  const sign = createSign({ seal, digest: webDigest, clock });
  const sealed = await seal.close(own, "wh_1");
  const before =
    previous === undefined
      ? {}
      : { previous: { sealed: await seal.close(previous, "wh_1"), until: AT + 1 } };
  const webhook = { id: "wh_1", url: "https://example.org/", sealed, ...before };
  return sign(webhook, { id: "msg_1", body });
}

/** Signs as the reference implementation does. */
function byReference(own: string, text = body, at = AT) {
  const signature = new Webhook(own).sign("msg_1", new Date(at), text);
  const timestamp = String(Math.floor(at / 1_000));
  return {
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
    },
    body: text,
  };
}

const codeOf = async (request: WebhookRequest, more: object = {}): Promise<unknown> => {
  const error = await rejection(verifyWebhook(request, { secret, clock, ...more }));
  return Reflect.get(Object(error), "code") ?? error;
};

test("the reference implementation verifies what the service signs", async () => {
  const { headers } = await signed(secret);
  expect(new Webhook(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
  expect(() => new Webhook(other).verify(body, { ...headers })).toThrow();
});

test("during a rotation, it verifies with each of the two secrets", async () => {
  const { headers } = await signed(secret, other);
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  for (const one of [secret, other]) {
    expect(new Webhook(one).verify(body, { ...headers })).toEqual(JSON.parse(body));
    expect((await verifyWebhook({ headers, body }, { secret: one, clock })).id).toBe("msg_1");
  }
});

test("the verifier accepts what the reference implementation signs, with secrets of any length", async () => {
  for (const length of [24, 32, 33, 64]) {
    const own = secretOf(length);
    const verified = await verifyWebhook(byReference(own), { secret: own, clock });
    expect(verified).toEqual({
      id: "msg_1",
      sentAt: Number(seconds) * 1_000,
      message: JSON.parse(body),
    });
  }
});

test("it takes requests of the Fetch API, headers of any case, bytes, and several secrets", async () => {
  const { headers } = byReference(secret);
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const bytes = new TextEncoder().encode(body);
  for (const request of [
    new Request("https://example.org/", { method: "POST", headers, body }),
    { headers: new Headers(headers), body },
    { headers: shouted, body: bytes },
  ]) {
    const verified = await verifyWebhook(request, { secret: [other, secret], clock });
    expect(verified.message.type).toBe("pet.created");
  }
});

test("a changed body, id or time, and another secret, are refused", async () => {
  const { headers } = byReference(secret);
  expect(await codeOf({ headers, body: body.replace("Zoë", "Zoe") })).toBe("wrong_signature");
  expect(await codeOf({ headers: { ...headers, "webhook-id": "msg_2" }, body })).toBe(
    "wrong_signature",
  );
  const later = String(Number(seconds) + 1);
  expect(await codeOf({ headers: { ...headers, "webhook-timestamp": later }, body })).toBe(
    "wrong_signature",
  );
  expect(await codeOf({ headers, body }, { secret: other })).toBe("wrong_signature");
  const signature = headers["webhook-signature"].replace("v1,", "v1a,");
  expect(await codeOf({ headers: { ...headers, "webhook-signature": signature }, body })).toBe(
    "wrong_signature",
  );
});

test("a message is refused when it is five minutes old, or from the future", async () => {
  const ago = (ms: number) => byReference(secret, body, AT - ms);
  expect((await verifyWebhook(ago(299_000), { secret, clock })).id).toBe("msg_1");
  expect((await verifyWebhook(ago(-299_000), { secret, clock })).id).toBe("msg_1");
  expect(await codeOf(ago(302_000))).toBe("too_old");
  expect(await codeOf(ago(-302_000))).toBe("too_new");
  expect(await codeOf(ago(30_000), { toleranceSeconds: 10 })).toBe("too_old");
  for (const toleranceSeconds of [Number.NaN, -1]) {
    const options = { secret, clock, toleranceSeconds };
    expect(await rejection(verifyWebhook(ago(302_000), options))).toBeInstanceOf(TypeError);
  }
});

test("missing and broken headers and bodies are named", async () => {
  const { headers } = byReference(secret);
  for (const name of Object.keys(headers)) {
    const without = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
    const error = await rejection(verifyWebhook({ headers: without, body }, { secret, clock }));
    expect(String(error)).toBe(`WebhookVerificationError: The message lacks the header ${name}.`);
  }
  expect(await codeOf({ headers: { ...headers, "webhook-timestamp": "soon" }, body })).toBe(
    "invalid_timestamp",
  );
  expect(await codeOf(byReference(secret, "[]"))).toBe("invalid_body");
  expect(await codeOf(byReference(secret, "{"))).toBe("invalid_body");
});

test("a secret that is none is a mistake of the caller, and is not repeated", async () => {
  for (const wrong of ["", "whsec_", "whsec_short", `whsec_${"!".repeat(44)}`, secretOf(65)]) {
    const error = await rejection(verifyWebhook(byReference(secret), { secret: wrong, clock }));
    expect(error).toBeInstanceOf(TypeError);
    if (wrong.length > 8) expect(String(error)).not.toContain(wrong);
  }
  expect(keyOfSecret(secretOf(24))).toHaveLength(24);
});
