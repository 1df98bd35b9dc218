import { isoTime } from "../base/clock.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import { hostOf, type DisableReason, type Webhook } from "./model.ts";

type EventData = Readonly<Record<string, unknown>>;

/** Returns the data of a webhook's event: its host instead of its URL, and no secret. */
export function webhookEvent({
  id,
  url,
  description,
  types,
  environment,
  disabled,
}: Pick<Webhook, "id" | "url" | "description" | "types" | "environment" | "disabled">): EventData {
  return {
    webhookId: id,
    host: hostOf(url),
    disabled: disabled !== undefined,
    ...withoutUndefined({ description, types, environment }),
  };
}

/** What a person can change, by its name in the API. */
const FIELDS = ["url", "description", "types", "environment", "disabled"] as const;

/** Returns the names of what a person changed. */
export function changedMembers(from: Webhook, to: Webhook): readonly string[] {
  return FIELDS.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
}

/** Returns the data of `webhook.disabled`. */
export function disabledEvent(
  { id, url, description, failingSince }: Webhook,
  reason: Exclude<DisableReason, "manual">,
  status: number | undefined,
): EventData {
  return {
    webhookId: id,
    host: hostOf(url),
    reason,
    ...withoutUndefined({
      description,
      status,
      firstFailureAt: failingSince === undefined ? undefined : isoTime(failingSince),
    }),
  };
}
