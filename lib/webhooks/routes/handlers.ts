import { readTime } from "../../base/clock.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { Reply } from "../../http/endpoint.ts";
import type { Principal } from "../../accounts/principal.ts";
import { foundEvent } from "../../management/event-pages.ts";
import { noStore, type ManagementCall } from "../../management/endpoint.ts";
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
  type WebhookFields,
  type WebhookPatch,
  type WebhookPlace,
} from "../manage.ts";
import { messageBody } from "../message.ts";
import type { Webhook, WebhookDelivery } from "../model.ts";
import { replayEvents } from "../replay.ts";
import type { DeliveryView, WebhookView } from "./shapes.ts";

type Services = Pick<ManagementServices, "showActor">;
type Call<Body = unknown, Query = unknown> = ManagementCall<Body, Query>;

/** The most of the deliveries that wait which are counted. */
const COUNTED = 10_000;

/** What the operations do, on a webhook of an account or of the installation. */
export function webhookHandlers(context: WebhookContext) {
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
    { webhook, secret }: IssuedWebhook,
    { principal }: Call,
    services: Services,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const shownWebhook = await view(webhook, principal, services);
    return done(new Reply({ ...shownWebhook, secret }, { headers: { ...noStore, ...headers } }));
  };

  const list = async (call: Call, services: Services, accountId?: string) => {
    const found = await webhookStore.list(accountId);
    return done(await Promise.all(found.map((one) => view(one, call.principal, services))));
  };
  const create = async (call: Call<WebhookFields>, services: Services, accountId?: string) => {
    const made = await createWebhook(context, call.actor, accountId, call.body);
    if (!made.ok) return made;
    const location = `${call.base}${pathOf(accountId)}/${made.value.webhook.id}`;
    return issued(made.value, call, services, { location });
  };
  const get = async (call: Call, services: Services, place: WebhookPlace) =>
    shown(await findWebhook(context, place), call, services);
  const update = async (call: Call<WebhookPatch>, services: Services, place: WebhookPlace) =>
    shown(await updateWebhook(context, call.actor, place, call.body), call, services);
  const remove = ({ actor }: Call, place: WebhookPlace) => removeWebhook(context, actor, place);
  const rotate = async (
    call: Call<{ readonly overlapMs?: number | undefined }>,
    services: Services,
    place: WebhookPlace,
  ) => {
    const rotated = await rotateWebhook(context, call.actor, place, call.body.overlapMs);
    return rotated.ok ? issued(rotated.value, call, services) : rotated;
  };
  const deliveries = async (
    call: Call<unknown, DeliveryQuery>,
    place: WebhookPlace,
  ): Promise<Result<Reply<readonly DeliveryView[]>, Problem>> => {
    const found = await findWebhook(context, place);
    if (!found.ok) return found;
    const { state, before, limit } = call.query;
    const rows = await webhookStore.deliveries(place.id, { state }, { before, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const next = { state, limit, before: page.at(-1)?.seq };
    const headers =
      rows.length > limit
        ? nextLink(call, `${pathOf(place.accountId)}/${place.id}/deliveries`, next)
        : {};
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

  return { list, create, get, update, remove, rotate, test, deliveries, delivery, replay };
}

function pathOf(accountId: string | undefined): string {
  return accountId === undefined ? "/system/webhooks" : `/accounts/${accountId}/webhooks`;
}

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

const noSuchDelivery = problem("not_found", "There is no such delivery, or it is no longer kept.");

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
