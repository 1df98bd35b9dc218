import { DAY_MS, readTime } from "../base/clock.ts";
import type { DomainTrouble, MailKinds } from "../mail/kinds.ts";
import type { DomainEvent } from "../model/event.ts";
import type { EventType } from "../model/event-types.ts";
import { present } from "../sql/rows.ts";
import type { SwitchedMail } from "./model/mail-switches.ts";

/** A mail that an event causes, before its readers are known. */
export type Notice = {
  readonly [Kind in Exclude<SwitchedMail, "certificates_overdue">]: {
    readonly kind: Kind;
    readonly data: Omit<MailKinds[Kind], "url">;
    /** The page of the dashboard that the mail leads to. */
    readonly page: string;
    /** Similar events of the next three days have the same key, so that they send no other mail. */
    readonly key: string;
  };
}[Exclude<SwitchedMail, "certificates_overdue">];

/** An event that causes a mail. */
type Cause = Pick<DomainEvent, "type" | "accountId" | "at" | "data">;

/** Mails about older events are of no use. */
const MAX_AGE_MS: number = 3 * DAY_MS;

type Decide = (event: Cause) => Notice | undefined;

const deciders: Readonly<Partial<Record<EventType, Decide>>> = {
  "domain.failed": (event) => aboutDomain(event, troubleOf(event.data["code"])),
  "domain.drifting": (event) => aboutDomain(event, "records"),
  "domain.moved": (event) => aboutDomain(event, "moved"),
  "domain.released": (event) => aboutDomain(event, "released"),
  "domain.contested": (event) => aboutDomain(event, "contested"),
  "domain.removed": (event) =>
    event.data["code"] === "taken" ? aboutDomain(event, "lost") : undefined,
  "quota.threshold_reached": ({ accountId, data }) => {
    const { percent, limit, resetsAt, environment } = data;
    if (percent !== 80 && percent !== 100) return undefined;
    if (environment !== "production" && environment !== "staging") return undefined;
    if (typeof limit !== "number" || typeof resetsAt !== "number") return undefined;
    return {
      kind: "quota_reached",
      data: { percent, limit, resetsAt, environment },
      page: `accounts/${accountId}/usage`,
      key: `quota ${accountId} ${environment} ${percent}`,
    };
  },
  "backup.failed": ({ data: { reason, lastGoodAt } }) => ({
    kind: "backup_failed",
    data: {
      reason: String(reason),
      ...present({ lastGoodAt: timeIn(lastGoodAt) }),
    },
    page: "system",
    key: `backup ${String(lastGoodAt)}`,
  }),
  "webhook.disabled": ({ accountId, data }) => {
    const { webhookId, host, description, reason, status, firstFailureAt } = data;
    if (reason !== "gone" && reason !== "failing") return undefined;
    return {
      kind: "webhook_disabled",
      data: {
        host: String(host),
        reason,
        ...(typeof description === "string" ? { description } : {}),
        ...(typeof status === "number" ? { status } : {}),
        ...present({ firstFailureAt: timeIn(firstFailureAt) }),
        ...(accountId === "" ? { systemId: String(webhookId) } : {}),
      },
      page: accountId === "" ? "system" : `accounts/${accountId}/webhooks`,
      key: `webhook ${String(webhookId)}`,
    };
  },
};

/** The types of events that cause mails, with those whose mails need more than the event says. */
export const noticedTypes: ReadonlySet<EventType> = new Set([
  // The keys of a constant object are those of its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  ...(Object.keys(deciders) as EventType[]),
  "member.device_added",
  "enquiry.created",
]);

/** Decides which mail an event causes; undefined: none. Pure: the same event gets the same key. */
export function noticeOf(event: Cause, now: number): Notice | undefined {
  return isOld(event, now) ? undefined : deciders[event.type]?.(event);
}

/** Returns whether an event is so old that no mail reports it. */
export function isOld({ at }: Pick<Cause, "at">, now: number): boolean {
  return now - at > MAX_AGE_MS;
}

/**
 * Returns what a failure of a domain is for its owner. Failed orders are none: they are retried, and `stalled_30m` or a mail
 * about overdue certificates follows if that does not help.
 */
function troubleOf(code: unknown): DomainTrouble | undefined {
  if (typeof code !== "string" || /^ca_|^not_servable$|^validation_failed$/.test(code)) {
    return undefined;
  }
  return OTHER_TROUBLES.get(code) ?? "records";
}

const OTHER_TROUBLES: ReadonlyMap<string, DomainTrouble> = new Map([
  ["stalled_30m", "stalled"],
  ["plan_required", "plan"],
  ["account_suspended", "suspended"],
]);

function aboutDomain({ data }: Cause, trouble: DomainTrouble | undefined): Notice | undefined {
  const { domainId, domain, projectId } = data;
  if (trouble === undefined || typeof domain !== "string") return undefined;
  return {
    kind: "domain_attention",
    data: { domain, trouble },
    page: `projects/${String(projectId)}/domains/${domain}`,
    key: `domain ${String(domainId)} ${trouble}`,
  };
}

/** Returns the instant that an event has as a text. */
function timeIn(value: unknown): number | undefined {
  return typeof value === "string" ? readTime(value) : undefined;
}
