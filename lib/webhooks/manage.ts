import { isoTime, type Clock } from "../base/clock.ts";
import type { Digest } from "../base/digest.ts";
import { randomBase62, type Random } from "../base/id.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, retried, type Result } from "../base/result.ts";
import type { Seal } from "../base/seal.ts";
import { webhookSecret } from "../base/webhook-signature.ts";
import type { Environment } from "../model/account.ts";
import { system, type Actor } from "../model/actor.ts";
import type { EventChoice } from "../model/event-groups.ts";
import { normalText } from "../model/text.ts";
import type { StoreReads } from "../storage/store.ts";
import { changedMembers } from "./event.ts";
import { MAX_URL, MAX_WEBHOOKS, OVERLAP_MS, type Webhook } from "./model.ts";
import { attemptOf } from "./outcome.ts";
import type { WebhookSender } from "./sender.ts";
import type { Sign } from "./sign.ts";
import type { WebhookRefusal, WebhookStore } from "./webhook-store.ts";

/** The dependencies of the actions on webhooks. */
export interface WebhookContext {
  readonly store: Pick<StoreReads, "events">;
  readonly webhookStore: WebhookStore;
  readonly environmentOf: (catalogueId: number) => Promise<Environment | undefined>;
  readonly seal: Seal;
  readonly sign: Sign;
  readonly sender: WebhookSender;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly random: Random;
  /** Called when deliveries were queued. */
  readonly wake: () => void;
}

/** Which webhook: of an account, or of the installation. */
export interface WebhookPlace {
  readonly accountId: string | undefined;
  readonly id: string;
}

/** What a person decides about a webhook. */
export interface WebhookFields {
  readonly url: string;
  readonly description?: string | undefined;
  readonly types?: readonly EventChoice[] | undefined;
  readonly environment?: Environment | undefined;
}

/** A change of a webhook. Absent members stay; null stands for the default. */
export interface WebhookPatch {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly types?: readonly EventChoice[] | null | undefined;
  readonly environment?: Environment | null | undefined;
  readonly disabled?: boolean | undefined;
}

/** A webhook with its secret, which is shown only once. */
export interface IssuedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** How often a change is retried. One of several simultaneous writers wins each round. */
const ATTEMPTS = 50;
const ID_CHARACTERS = 12;
/** Bytes of a secret's key. */
const KEY_BYTES = 32;
const DROPPED_AT_ONCE = 500;

/** Finds a webhook; the same refusal whether it does not exist or belongs to others. */
export async function findWebhook(
  { webhookStore }: Pick<WebhookContext, "webhookStore">,
  { accountId, id }: WebhookPlace,
): Promise<Result<Webhook, Problem>> {
  const webhook = await webhookStore.byId(id);
  return webhook === undefined || webhook.accountId !== accountId
    ? refused(noSuchWebhook)
    : done(webhook);
}

/** Creates a webhook, which gets the events from now on. */
export async function createWebhook(
  context: WebhookContext,
  actor: Actor,
  accountId: string | undefined,
  { url, description = "", types, environment }: WebhookFields,
): Promise<Result<IssuedWebhook, Problem>> {
  const { store, webhookStore, clock, random } = context;
  const address = readUrl(context, url);
  if (!address.ok) return address;
  const id = `wh_${randomBase62(random, ID_CHARACTERS)}`;
  const { secret, sealed } = await newSecret(context, id);
  const text = normalText(description);
  const webhook: Webhook = {
    id,
    ...(accountId === undefined ? {} : { accountId }),
    url: address.value,
    ...(text === "" ? {} : { description: text }),
    ...(types === undefined ? {} : { types: inOrder(types) }),
    ...(environment === undefined ? {} : { environment }),
    sealed,
    version: 1,
    createdAt: clock.now(),
    createdBy: actor,
    afterSeq: await store.events.last(),
  };
  const committed = await webhookStore.commit(
    [{ kind: "webhook.add", webhook, max: MAX_WEBHOOKS }],
    actor,
  );
  return committed.ok ? done({ webhook, secret }) : refused(refusals[committed.failure]);
}

/** Changes a webhook. One that is enabled again gets the events from now on. */
export function updateWebhook(
  context: WebhookContext,
  actor: Actor,
  place: WebhookPlace,
  patch: WebhookPatch,
): Promise<Result<Webhook, Problem>> {
  const { store, webhookStore, clock } = context;
  return retried(ATTEMPTS, busy, async () => {
    const found = await findWebhook(context, place);
    if (!found.ok) return found;
    const from = found.value;
    const address = readUrl(context, patch.url ?? from.url);
    // Enabling checks the URL too: the options may have changed.
    if (!address.ok && (patch.url !== undefined || patch.disabled === false)) return address;
    const at = clock.now();
    const { description: _text, types: _types, environment: _environment, ...fixed } = from;
    const text = normalText(
      patch.description ?? (patch.description === null ? "" : (from.description ?? "")),
    );
    const types = patch.types === undefined ? from.types : patch.types;
    const environment = patch.environment === undefined ? from.environment : patch.environment;
    let to: Webhook = {
      ...fixed,
      url: address.ok ? address.value : from.url,
      ...(text === "" ? {} : { description: text }),
      ...(types === undefined || types === null ? {} : { types: inOrder(types) }),
      ...(environment === undefined || environment === null ? {} : { environment }),
    };
    if (patch.disabled === true && from.disabled === undefined) {
      to = { ...to, disabled: { at, reason: "manual" } };
    }
    if (patch.disabled === false && from.disabled !== undefined) {
      // Those that waited when it was disabled have ended; the job may not have come to all of them.
      await dropWaiting(context, from.id);
      const { disabled: _disabled, failingSince: _since, ...rest } = to;
      to = { ...rest, afterSeq: await store.events.last() };
    }
    if (to.url !== from.url) {
      // What failed was the address before: the new one has its own time until it is disabled.
      const { failingSince: _since, ...rest } = to;
      to = rest;
    }
    if (changedMembers(from, to).length === 0) return done(from);
    const change = { kind: "webhook.update", from, to, event: "webhook.updated", at } as const;
    const committed = await webhookStore.commit([change], actor);
    return committed.ok ? done({ ...to, version: from.version + 1 }) : undefined;
  });
}

/** Removes a webhook. What waits is not delivered. */
export function removeWebhook(
  context: WebhookContext,
  actor: Actor,
  place: WebhookPlace,
): Promise<Result<undefined, Problem>> {
  const { webhookStore, clock } = context;
  return retried(ATTEMPTS, busy, async () => {
    const found = await findWebhook(context, place);
    if (!found.ok) return found;
    const change = { kind: "webhook.remove", from: found.value, at: clock.now() } as const;
    const committed = await webhookStore.commit([change], actor);
    return committed.ok ? done(undefined) : undefined;
  });
}

/** Replaces the secret. Messages are signed with both for `overlapMs`. */
export function rotateWebhook(
  context: WebhookContext,
  actor: Actor,
  place: WebhookPlace,
  overlapMs: number = OVERLAP_MS,
): Promise<Result<IssuedWebhook, Problem>> {
  const { webhookStore, clock } = context;
  return retried(ATTEMPTS, busy, async () => {
    const found = await findWebhook(context, place);
    if (!found.ok) return found;
    const from = found.value;
    const at = clock.now();
    const { secret, sealed } = await newSecret(context, from.id);
    const { previous: _previous, ...rest } = from;
    const previous =
      overlapMs === 0 ? {} : { previous: { sealed: from.sealed, until: at + overlapMs } };
    const to = { ...rest, sealed, ...previous };
    const change = { kind: "webhook.update", from, to, event: "webhook.rotated", at } as const;
    const committed = await webhookStore.commit([change], actor);
    if (!committed.ok) return undefined;
    return done({ webhook: { ...to, version: from.version + 1 }, secret });
  });
}

/** The outcome of a test. */
export interface WebhookTest {
  readonly delivered: boolean;
  /** The message that was sent. */
  readonly messageId: string;
  readonly body: string;
  readonly last: ReturnType<typeof attemptOf>;
}

/** Tests that run in this process. Each takes a request of the API and one to the receiver. */
const MOST_TESTS = 8;
let testing = 0;

/** Sends a message of the type `webhook.test` now, not over the queue, and returns the answer. */
export async function testWebhook(
  context: WebhookContext,
  place: WebhookPlace,
  signal: AbortSignal,
): Promise<Result<WebhookTest, Problem>> {
  const { sign, sender, clock, random } = context;
  const found = await findWebhook(context, place);
  if (!found.ok) return found;
  if (testing >= MOST_TESTS) return refused(tooManyTests);
  testing++;
  try {
    const { id: webhookId } = found.value;
    const startedAt = clock.now();
    const messageId = `msg_test_${randomBase62(random, ID_CHARACTERS)}`;
    const message = { type: "webhook.test", timestamp: isoTime(startedAt), data: { webhookId } };
    const body = JSON.stringify(message);
    const request = await sign(found.value, { id: messageId, body }).catch(() => undefined);
    if (request === undefined) {
      const last = { at: startedAt, durationMs: 0, fault: "secret" } as const;
      return done({ delivered: false, messageId, body, last });
    }
    const answer = await sender.send(request, signal);
    const last = attemptOf(answer, startedAt, clock.now());
    return done({ delivered: last.fault === undefined, messageId, body, last });
  } finally {
    testing--;
  }
}

/** Ends all deliveries of a disabled webhook that wait. */
async function dropWaiting(
  { webhookStore, clock }: WebhookContext,
  webhookId: string,
): Promise<void> {
  while ((await webhookStore.waiting(webhookId, 1)) > 0) {
    const drop = { webhookId, fault: "disabled", at: clock.now(), limit: DROPPED_AT_ONCE } as const;
    await webhookStore.commit([{ kind: "delivery.drop", ...drop }], system);
  }
}

async function newSecret(
  { random, seal }: WebhookContext,
  id: string,
): Promise<{ readonly secret: string; readonly sealed: string }> {
  const secret = webhookSecret(random(new Uint8Array(KEY_BYTES)));
  return { secret, sealed: await seal.close(secret, id) };
}

/** Returns the URL in its normal form. */
function readUrl(
  { sender }: Pick<WebhookContext, "sender">,
  text: string,
): Result<string, Problem> {
  if (text.length > MAX_URL || !URL.canParse(text)) {
    return refused(
      badUrl(
        `must be an address such as https://example.org/hooks, of at most ${MAX_URL} characters`,
      ),
    );
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refused(badUrl("must begin with https://"));
  }
  if (url.username !== "" || url.password !== "") {
    return refused(badUrl("must have no user and no password: messages are signed"));
  }
  if (url.hash !== "") return refused(badUrl("must have no fragment (#)"));
  const fault = sender.faultOf(url);
  if (fault !== undefined) return refused(badUrl(fault));
  return url.href.length > MAX_URL ? refused(badUrl("is too long")) : done(url.href);
}

function badUrl(fault: string): Problem {
  const message = `The field "url" ${fault}.`;
  return problem("invalid_value", message, {
    errors: [{ pointer: "/url", code: "invalid_value", message }],
  });
}

/** Returns types in alphabetical order, each once. */
function inOrder(types: readonly EventChoice[]): readonly EventChoice[] {
  return [...new Set(types)].toSorted();
}

export const noSuchWebhook: Problem = problem("not_found", "There is no such webhook.");
const busy: Problem = problem(
  "unavailable",
  "Other requests keep changing this webhook. Try again.",
  {
    retryAfterSeconds: 1,
  },
);
const tooManyTests: Problem = problem("unavailable", "Too many tests run. Try again in a moment.", {
  retryAfterSeconds: 5,
});
/** The refusal of an action that needs a webhook which is not disabled. */
export const webhookDisabled: Problem = problem(
  "webhook_disabled",
  "The webhook is disabled. Enable it first.",
);

const refusals: Readonly<Record<WebhookRefusal, Problem>> = {
  exists: busy,
  stale: busy,
  gone: noSuchWebhook,
  missing: problem("not_found", "There is no such account."),
  limit: problem("limit_reached", `There are ${MAX_WEBHOOKS} webhooks. Remove one first.`),
};
