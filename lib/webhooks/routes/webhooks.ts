import { readTime } from "../../base/clock.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { choiceParameter, idParameter, limitParameter } from "../../http/parameters.ts";
import type { Principal } from "../../accounts/principal.ts";
import { foundEvent } from "../../management/event-pages.ts";
import { inAccount, noStore, onPlatform, type ManagementCall } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { nextLink } from "../../management/next-link.ts";
import {
  createWebhook,
  findWebhook,
  removeWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
  type IssuedWebhook,
  type WebhookContext,
  type WebhookPlace,
} from "../manage.ts";
import { messageBody } from "../message.ts";
import { deliveryStates, MAX_WEBHOOKS, type Webhook, type WebhookDelivery } from "../model.ts";
import { MAX_REPLAYED, replayEvents } from "../replay.ts";
import {
  deliveriesShape,
  deliveryExample,
  deliveryShape,
  issuedWebhookShape,
  NewWebhookSchema,
  ReplaySchema,
  replayedShape,
  webhookExample,
  WebhookPatchSchema,
  WebhookRotationSchema,
  webhookShape,
  webhooksShape,
  webhookTestShape,
  type DeliveryView,
  type WebhookView,
} from "./shapes.ts";

type Services = Pick<ManagementServices, "showActor">;
type Call<Body = unknown, Query = unknown> = ManagementCall<Body, Query>;

/** The most of the deliveries that wait which are counted. */
const COUNTED = 10_000;

/** The operations on the webhooks of accounts and of the installation. */
export function webhookEndpoints(context: WebhookContext) {
  const { webhookStore, store, environmentOf } = context;

  const view = async (
    webhook: Webhook,
    reader: Principal,
    { showActor }: Services,
  ): Promise<WebhookView> => {
    const { id, url, description, types, environment, disabled, previous } = webhook;
    const { createdAt, createdBy, failingSince } = webhook;
    const actor = createdBy && (await showActor(createdBy, reader));
    return {
      id,
      url,
      ...(description === undefined ? {} : { description }),
      ...(types === undefined ? {} : { types }),
      ...(environment === undefined ? {} : { environment }),
      status: disabled === undefined ? "enabled" : "disabled",
      ...(disabled && { disabledAt: disabled.at, disabledReason: disabled.reason }),
      ...(failingSince === undefined ? {} : { firstFailureAt: failingSince }),
      waiting: await webhookStore.waiting(id, COUNTED),
      ...(previous && previous.until > context.clock.now()
        ? { previousSecretUntil: previous.until }
        : {}),
      createdAt,
      ...(actor === undefined ? {} : { createdBy: actor }),
    };
  };
  const shown = async (
    result: Result<Webhook, Problem>,
    { principal }: Call,
    services: Services,
  ): Promise<Result<WebhookView, Problem>> =>
    result.ok ? done(await view(result.value, principal, services)) : result;
  const issued = async (
    result: Result<IssuedWebhook, Problem>,
    { principal }: Call,
    services: Services,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    if (!result.ok) return result;
    const { webhook, secret } = result.value;
    const shownWebhook = await view(webhook, principal, services);
    return done(new Reply({ ...shownWebhook, secret }, { headers: { ...noStore, ...headers } }));
  };

  const list = async (call: Call, services: Services, accountId?: string) => {
    const found = await webhookStore.list(accountId);
    return done(await Promise.all(found.map((one) => view(one, call.principal, services))));
  };
  const deliveries = async (
    call: Call<unknown, DeliveryQuery>,
    path: string,
    place: WebhookPlace,
  ): Promise<Result<Reply<readonly DeliveryView[]>, Problem>> => {
    const found = await findWebhook(context, place);
    if (!found.ok) return found;
    const { state, before, limit } = call.query;
    const rows = await webhookStore.deliveries(place.id, { state }, { before, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const next = { state, limit, before: page.at(-1)?.seq };
    const headers = rows.length > limit ? nextLink(call, path, next) : {};
    return done(new Reply(page.map(deliveryView), { headers }));
  };
  const delivery = async (
    place: WebhookPlace,
    seq: string,
  ): Promise<Result<DeliveryView, Problem>> => {
    const found = await findWebhook(context, place);
    if (!found.ok) return found;
    const number = /^[1-9]\d{0,15}$/.test(seq) ? Number(seq) : 0;
    const one = await webhookStore.delivery(place.id, number);
    if (one === undefined) return refused(noSuchDelivery);
    const [event] = await store.events.after(number - 1, 1);
    if (event?.seq !== number) return done(deliveryView(one));
    const { catalogueId } = event;
    const environment = catalogueId === undefined ? undefined : await environmentOf(catalogueId);
    const body = messageBody(foundEvent(event, environment), found.value);
    return done({ ...deliveryView(one), body });
  };
  const replay = async ({ body, actor }: Call<ReplayBody>, place: WebhookPlace) => {
    const range = rangeOf(body, context.clock.now());
    return range.ok ? replayEvents(context, actor, place, range.value) : range;
  };
  const test = async ({ request }: Call, place: WebhookPlace) =>
    testWebhook(context, place, request.signal);

  const of = (call: { readonly account: { readonly id: string }; readonly params: Of }) => ({
    accountId: call.account.id,
    id: call.params.webhook,
  });
  const ours = (call: { readonly params: Of }) => ({
    accountId: undefined,
    id: call.params.webhook,
  });

  return [
    endpoint({
      ...texts.list,
      operationId: "listWebhooks",
      method: "GET",
      path: "/accounts/:account/webhooks",
      access: inAccount("owner"),
      run: (call, services) => list(call, services, call.account.id),
    }),
    endpoint({
      ...texts.create,
      operationId: "createWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks",
      access: inAccount("owner", SENSITIVE),
      run: async (call, services) => {
        const made = await createWebhook(context, call.actor, call.account.id, call.body);
        const path = `/accounts/${call.account.id}/webhooks`;
        return issued(made, call, services, locationOf(call, path, made));
      },
    }),
    endpoint({
      ...texts.get,
      operationId: "getWebhook",
      method: "GET",
      path: "/accounts/:account/webhooks/:webhook",
      access: inAccount("owner"),
      run: async (call, services) => shown(await findWebhook(context, of(call)), call, services),
    }),
    endpoint({
      ...texts.update,
      operationId: "updateWebhook",
      method: "PATCH",
      path: "/accounts/:account/webhooks/:webhook",
      access: inAccount("owner", SENSITIVE),
      run: async (call, services) =>
        shown(await updateWebhook(context, call.actor, of(call), call.body), call, services),
    }),
    endpoint({
      ...texts.remove,
      operationId: "deleteWebhook",
      method: "DELETE",
      path: "/accounts/:account/webhooks/:webhook",
      access: inAccount("owner"),
      run: (call) => removeWebhook(context, call.actor, of(call)),
    }),
    endpoint({
      ...texts.rotate,
      operationId: "rotateWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks/:webhook/rotate",
      access: inAccount("owner", SENSITIVE),
      run: async (call, services) => {
        const { overlapMs } = call.body;
        return issued(
          await rotateWebhook(context, call.actor, of(call), overlapMs),
          call,
          services,
        );
      },
    }),
    endpoint({
      ...texts.test,
      operationId: "testWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks/:webhook/test",
      access: inAccount("owner"),
      run: (call) => test(call, of(call)),
    }),
    endpoint({
      ...texts.deliveries,
      operationId: "listWebhookDeliveries",
      method: "GET",
      path: "/accounts/:account/webhooks/:webhook/deliveries",
      access: inAccount("owner"),
      run: (call) => {
        const place = of(call);
        return deliveries(
          call,
          `/accounts/${place.accountId}/webhooks/${place.id}/deliveries`,
          place,
        );
      },
    }),
    endpoint({
      ...texts.delivery,
      operationId: "getWebhookDelivery",
      method: "GET",
      path: "/accounts/:account/webhooks/:webhook/deliveries/:event",
      access: inAccount("owner"),
      run: (call) => delivery(of(call), call.params.event),
    }),
    endpoint({
      ...texts.replay,
      operationId: "replayWebhook",
      method: "POST",
      path: "/accounts/:account/webhooks/:webhook/replay",
      access: inAccount("owner"),
      run: (call) => replay(call, of(call)),
    }),
    endpoint({
      ...texts.list,
      operationId: "listSystemWebhooks",
      method: "GET",
      path: "/system/webhooks",
      access: onPlatform("operator"),
      summary: "List webhooks of the installation",
      run: (call, services) => list(call, services),
    }),
    endpoint({
      ...texts.create,
      operationId: "createSystemWebhook",
      method: "POST",
      path: "/system/webhooks",
      access: onPlatform("operator", SENSITIVE),
      summary: "Create a webhook of the installation",
      description: `${texts.create.description} It gets the events of all accounts, and those of the operators.`,
      run: async (call, services) => {
        const made = await createWebhook(context, call.actor, undefined, call.body);
        return issued(made, call, services, locationOf(call, "/system/webhooks", made));
      },
    }),
    endpoint({
      ...texts.get,
      operationId: "getSystemWebhook",
      method: "GET",
      path: "/system/webhooks/:webhook",
      access: onPlatform("operator"),
      summary: "Get a webhook of the installation",
      run: async (call, services) => shown(await findWebhook(context, ours(call)), call, services),
    }),
    endpoint({
      ...texts.update,
      operationId: "updateSystemWebhook",
      method: "PATCH",
      path: "/system/webhooks/:webhook",
      access: onPlatform("operator", SENSITIVE),
      summary: "Update a webhook of the installation",
      run: async (call, services) =>
        shown(await updateWebhook(context, call.actor, ours(call), call.body), call, services),
    }),
    endpoint({
      ...texts.remove,
      operationId: "deleteSystemWebhook",
      method: "DELETE",
      path: "/system/webhooks/:webhook",
      access: onPlatform("operator"),
      summary: "Delete a webhook of the installation",
      run: (call) => removeWebhook(context, call.actor, ours(call)),
    }),
    endpoint({
      ...texts.rotate,
      operationId: "rotateSystemWebhook",
      method: "POST",
      path: "/system/webhooks/:webhook/rotate",
      access: onPlatform("operator", SENSITIVE),
      summary: "Rotate the secret of a webhook of the installation",
      run: async (call, services) => {
        const rotated = rotateWebhook(context, call.actor, ours(call), call.body.overlapMs);
        return issued(await rotated, call, services);
      },
    }),
    endpoint({
      ...texts.test,
      operationId: "testSystemWebhook",
      method: "POST",
      path: "/system/webhooks/:webhook/test",
      access: onPlatform("operator"),
      summary: "Test a webhook of the installation",
      run: (call) => test(call, ours(call)),
    }),
    endpoint({
      ...texts.deliveries,
      operationId: "listSystemWebhookDeliveries",
      method: "GET",
      path: "/system/webhooks/:webhook/deliveries",
      access: onPlatform("operator"),
      summary: "List deliveries of a webhook of the installation",
      run: (call) => {
        const place = ours(call);
        return deliveries(call, `/system/webhooks/${place.id}/deliveries`, place);
      },
    }),
    endpoint({
      ...texts.delivery,
      operationId: "getSystemWebhookDelivery",
      method: "GET",
      path: "/system/webhooks/:webhook/deliveries/:event",
      access: onPlatform("operator"),
      summary: "Get a delivery of a webhook of the installation",
      run: (call) => delivery(ours(call), call.params.event),
    }),
    endpoint({
      ...texts.replay,
      operationId: "replaySystemWebhook",
      method: "POST",
      path: "/system/webhooks/:webhook/replay",
      access: onPlatform("operator"),
      summary: "Replay events to a webhook of the installation",
      run: (call) => replay(call, ours(call)),
    }),
  ] as const;
}

/** They decide where events go, or show a secret: a stolen session must not suffice. */
const SENSITIVE = { sensitive: true } as const;

interface Of {
  readonly webhook: string;
}

const query = {
  state: choiceParameter("Only deliveries in this state.", deliveryStates),
  before: idParameter("Only deliveries of events before the one with this `seq`."),
  limit: limitParameter({ maximum: 500, fallback: 50 }),
};

interface DeliveryQuery {
  readonly state?: WebhookDelivery["state"];
  readonly before?: number;
  readonly limit: number;
}

interface ReplayBody {
  readonly event?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly after?: number | undefined;
}

const one = {
  status: 200,
  description: "The webhook.",
  schema: webhookShape,
  example: webhookExample,
} as const;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

/** What the operations of accounts and of the installation have in common. */
const texts = {
  list: {
    tag: "webhooks",
    summary: "List webhooks",
    description: "All webhooks, oldest first, without their secrets.",
    success: {
      status: 200,
      description: "All webhooks.",
      schema: webhooksShape,
      example: [webhookExample],
    },
    refusals: [],
  },
  create: {
    tag: "webhooks",
    summary: "Create a webhook",
    description: `Events from now on are sent to the URL, signed by Standard Webhooks. There can be ${MAX_WEBHOOKS} webhooks.`,
    body: NewWebhookSchema,
    success: {
      status: 201,
      description: "The webhook. Its secret is shown only here.",
      schema: issuedWebhookShape,
      example: { ...webhookExample, secret },
      headers: ["Location"],
    },
    refusals: ["invalid_value", "limit_reached"],
  },
  get: {
    tag: "webhooks",
    summary: "Get a webhook",
    description: "The webhook, without its secret.",
    success: one,
    refusals: ["not_found"],
  },
  update: {
    tag: "webhooks",
    summary: "Update a webhook",
    description:
      "Omitted members stay unchanged. Disabling ends the deliveries that wait. A webhook that is enabled again gets the events from then on; replay the others.",
    body: WebhookPatchSchema,
    success: one,
    refusals: ["not_found", "invalid_value"],
  },
  remove: {
    tag: "webhooks",
    summary: "Delete a webhook",
    description: "Deliveries that wait are not made.",
    success: { status: 204, description: "The webhook was deleted." },
    refusals: ["not_found"],
  },
  rotate: {
    tag: "webhooks",
    summary: "Rotate the secret of a webhook",
    description:
      "Creates another secret. Until the overlap ends, each message has two signatures, one by each secret.",
    body: WebhookRotationSchema,
    success: {
      status: 200,
      description: "The webhook. Its new secret is shown only here.",
      schema: issuedWebhookShape,
      example: { ...webhookExample, secret, previousSecretUntil: "2026-11-21T09:30:00.000Z" },
    },
    refusals: ["not_found", "invalid_value"],
  },
  test: {
    tag: "webhooks",
    summary: "Test a webhook",
    description:
      "Sends a message of the type `webhook.test` now, and returns the answer. Takes at most half a minute. It is not among the deliveries.",
    success: {
      status: 200,
      description: "The message and the answer.",
      schema: webhookTestShape,
      example: {
        delivered: true,
        messageId: "msg_test_8fJ2kQ0aZx1B",
        body: '{"type":"webhook.test","timestamp":"2026-11-20T09:30:00.000Z","data":{"webhookId":"wh_5Rk8bQ2mZ7Lt"}}',
        last: { at: "2026-11-20T09:30:00.000Z", durationMs: 82, status: 200, answer: "ok" },
      },
    },
    refusals: ["not_found"],
  },
  deliveries: {
    tag: "webhooks",
    summary: "List deliveries of a webhook",
    description:
      "Deliveries that wait, and those that ended in the last 7 days, up to the newest 1,000. The newest event comes first.",
    query,
    success: {
      status: 200,
      description: "One page. `Link` leads to the next one, if any.",
      schema: deliveriesShape,
      example: [deliveryExample],
      headers: ["Link"],
    },
    refusals: ["not_found", "invalid_parameter", "unknown_parameter"],
  },
  delivery: {
    tag: "webhooks",
    summary: "Get a delivery of a webhook",
    description: "The delivery of an event, by its `seq`, with the body of the message.",
    success: {
      status: 200,
      description: "The delivery.",
      schema: deliveryShape,
      example: deliveryExample,
    },
    refusals: ["not_found"],
  },
  replay: {
    tag: "webhooks",
    summary: "Replay events to a webhook",
    description: `Queues events of the last 30 days again: one, or those of a time that the webhook wants. They keep their message ids. A call queues at most ${MAX_REPLAYED.toLocaleString("en")}; repeat it with \`next\` as \`after\` for the rest.`,
    body: ReplaySchema,
    success: {
      status: 202,
      description: "The events were queued.",
      schema: replayedShape,
      example: { queued: 1 },
    },
    refusals: ["not_found", "invalid_value", "webhook_disabled", "limit_reached"],
  },
} as const;

const noSuchDelivery = problem("not_found", "There is no such delivery, or it is no longer kept.");

function locationOf(
  { base }: Call,
  path: string,
  made: Result<IssuedWebhook, Problem>,
): Readonly<Record<string, string>> {
  return made.ok ? { location: `${base}${path}/${made.value.webhook.id}` } : {};
}

function rangeOf(
  { event, from, to, after }: ReplayBody,
  now: number,
): Result<Parameters<typeof replayEvents>[3], Problem> {
  if (event !== undefined) {
    const others = [from, to, after].some((member) => member !== undefined);
    return others ? refused(eitherOr) : done({ event });
  }
  const [start, end] = [from && readTime(from), to === undefined ? now : readTime(to)];
  if (from === undefined) return refused(eitherOr);
  if (typeof start !== "number" || end === undefined) return refused(noSuchTime);
  return end < start ? refused(wrongOrder) : done({ from: start, to: end, after });
}

const noSuchTime = problem("invalid_value", "`from` or `to` is on a day that does not exist.");
const eitherOr = problem(
  "invalid_value",
  "Send either `event`, or `from` with an optional `to` and `after`.",
);
const wrongOrder = problem("invalid_value", "`to` must not be before `from`.");

function deliveryView(delivery: WebhookDelivery): DeliveryView {
  const { seq, messageId, type, environment, state, eventAt, queuedAt } = delivery;
  const { attempts, nextAt, endedAt, last } = delivery;
  return {
    event: seq,
    messageId,
    type,
    ...(environment === undefined ? {} : { environment }),
    state,
    eventAt,
    queuedAt,
    attempts,
    ...(nextAt === undefined ? {} : { nextAttemptAt: nextAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(last === undefined ? {} : { last }),
  };
}
