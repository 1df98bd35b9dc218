import { isoTime, type Clock } from "../base/clock.ts";
import { utf8, type Digest } from "../base/digest.ts";
import { bytesAsBase62 } from "../base/id.ts";
import { memberOf, petOf, type FoundEvent } from "../management/event-pages.ts";
import { toWire } from "../base/wire.ts";
import type { Environment } from "../model/account.ts";
import { ofOperators, type Actor } from "../model/actor.ts";
import type { DomainEvent } from "../model/event.ts";
import { wants, type NewDelivery, type Webhook } from "./model.ts";

/** Who caused an event, as messages show it: without a name. Operators are only named to the installation's webhooks. */
interface MessageActor {
  readonly kind: Actor["kind"] | "operator";
  readonly id?: string;
}

/** Returns the body of the message about an event, as a webhook gets it. The same at each attempt. */
export function messageBody(
  { type, at, seq, accountId, environment, actor, data }: FoundEvent,
  webhook: Pick<Webhook, "accountId">,
): string {
  const shown = actor && actorFor(actor, webhook);
  return JSON.stringify({
    type,
    timestamp: isoTime(at),
    seq,
    ...(accountId === "" ? {} : { accountId }),
    ...(environment === undefined ? {} : { environment }),
    ...(shown === undefined ? {} : { actor: shown }),
    data: toWire(data),
  });
}

function actorFor(actor: Actor, { accountId }: Pick<Webhook, "accountId">): MessageActor {
  if (accountId !== undefined && ofOperators(actor)) return { kind: "operator" };
  return "id" in actor ? { kind: actor.kind, id: actor.id } : { kind: actor.kind };
}

const ID_CHARACTERS = 24;

/**
 * Returns the name of the message about an event, which receivers use to recognize a second copy. It follows from the event:
 * after a restore, an event with a number that was used before has another name.
 */
export async function messageIdOf(
  digest: Digest,
  webhookId: string,
  { seq, type, at, data }: Pick<DomainEvent, "seq" | "type" | "at" | "data">,
): Promise<string> {
  const hash = await digest.sha256(utf8(JSON.stringify([webhookId, seq, type, at, data])));
  return `msg_${bytesAsBase62(hash, ID_CHARACTERS)}`;
}

/** The members that name the subject of an event, the first of which counts. Of objects, their `id` does. */
const SUBJECTS = [
  "category",
  "import",
  "enquiry",
  "domainId",
  "projectId",
  "keyId",
  "tokenId",
  "memberId",
  "webhookId",
  "host",
  "account",
] as const;

/** Returns what an event is about. Its animal counts for everything that belongs to an animal. */
export function subjectOf({
  type,
  catalogueId = 0,
  data,
}: Pick<DomainEvent, "type" | "catalogueId" | "data">): string {
  const pet = petOf(data);
  if (pet !== undefined) return `pet ${catalogueId} ${JSON.stringify(pet)}`;
  for (const name of SUBJECTS) {
    const value = data[name];
    if (value === undefined) continue;
    const id = typeof value === "object" ? memberOf(value, "id") : value;
    return `${name} ${catalogueId} ${JSON.stringify(id)}`;
  }
  return `${type} ${catalogueId}`;
}

/** Returns the deliveries of those events that a webhook wants, in their order. */
export async function wantedDeliveries(
  {
    environmentOf,
    digest,
    clock,
  }: {
    readonly environmentOf: (catalogueId: number) => Promise<Environment | undefined>;
    readonly digest: Digest;
    readonly clock: Clock;
  },
  webhook: Webhook,
  events: readonly DomainEvent[],
): Promise<readonly NewDelivery[]> {
  const found: NewDelivery[] = [];
  for (const event of events) {
    const { seq, type, catalogueId, at: eventAt } = event;
    const environment = catalogueId === undefined ? undefined : await environmentOf(catalogueId);
    if (!wants(webhook, { type, environment })) continue;
    found.push({
      webhookId: webhook.id,
      seq,
      messageId: await messageIdOf(digest, webhook.id, event),
      type,
      subject: subjectOf(event),
      ...(environment === undefined ? {} : { environment }),
      eventAt,
      queuedAt: clock.now(),
    });
  }
  return found;
}
