import { MINUTE_MS } from "../../../../lib/base/clock.ts";
import type { ToldEvent } from "../../../../lib/management/event-pages.ts";
import { petStatuses } from "../../../../lib/model/pet.ts";
import type { IconName } from "../../components/icon.tsx";
import type { OverviewWords } from "../../words/en/overview.ts";

/** What can be told: an event, or one that means several things in one of its meanings. */
export type NewsCode = keyof OverviewWords["happened"];

/** One line of what happened lately. */
export interface News {
  readonly seq: number;
  readonly at: number;
  readonly code: NewsCode;
  /** Whom or what it is about: a name; empty where the account itself is meant. */
  readonly what: string;
  readonly icon: IconName;
  /** Somebody should look at it. */
  readonly bad: boolean;
  readonly staging: boolean;
  /** How many more of the same happened around it. */
  readonly more: number;
  /** Where to look, below the account's address or from the root. */
  readonly href?: string;
}

const ICONS: Readonly<Record<string, IconName>> = {
  account: "settings",
  pet: "animals",
  category: "animals",
  key: "keys",
  quota: "usage",
  token: "keys",
  member: "people",
  project: "projects",
  deploy: "projects",
  domain: "domain",
};

const BAD: ReadonlySet<NewsCode> = new Set<NewsCode>([
  "account.suspended",
  "key.banned",
  "quota.threshold_reached",
  "deploy.failed",
  "domain.contested",
  "domain.expiring",
  "domain.failed",
]);

/** Events as a reader is told of them, newest first: those of a kind that happened together are one. */
export function newsOf(
  events: readonly ToldEvent[],
  { accountId, happened, starter, files }: Naming,
): readonly News[] {
  const told: News[] = [];
  for (const event of events) {
    const code = codeOf(event);
    if (code === undefined || !(code in happened)) continue;
    const last = told.at(-1);
    if (last !== undefined && belongsTo(last, event, code)) {
      told[told.length - 1] = { ...last, more: last.more + 1 };
      continue;
    }
    const kind = code.split(".", 1).join("");
    const href = hrefOf(event, kind, accountId);
    told.push({
      seq: event.seq,
      at: event.at,
      code,
      what: whatOf(event.data, { starter, files }),
      icon: ICONS[kind] ?? "info",
      bad: BAD.has(code),
      staging: event.environment === "staging",
      more: 0,
      ...(href === undefined ? {} : { href }),
    });
  }
  return told;
}

interface Naming extends Pick<OverviewWords, "happened" | "starter" | "files"> {
  readonly accountId: string;
}

/** A change of status is told by where it led; an order is told by the animal that it is about. */
function codeOf({ type, data }: ToldEvent): NewsCode | undefined {
  if (type !== "pet.status_changed") {
    // Those that have no words are left out by whoever asks.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return type as NewsCode;
  }
  const status = petStatuses.find((one) => one === memberOf(data["pet"], "status"));
  return status === undefined ? undefined : `pet.${status}`;
}

function belongsTo(last: News, { at, environment }: ToldEvent, code: NewsCode): boolean {
  return (
    last.code === code &&
    code.startsWith("pet.") &&
    last.staging === (environment === "staging") &&
    last.at - at < MINUTE_MS
  );
}

type Data = ToldEvent["data"];

/** The name of what an event is about, wherever it stands in its data. */
function whatOf(data: Data, { starter, files }: Pick<Naming, "starter" | "files">): string {
  const { name, domain, message, percent, keyId } = data;
  const names = [memberOf(data["pet"], "name"), memberOf(data["category"], "name"), name];
  const named = [...names, domain, message, keyId].find(
    (one) => typeof one === "string" && one !== "",
  );
  if (typeof named === "string") return named;
  if (typeof percent === "number") return String(percent);
  if (data["source"] === "starter") return starter;
  return typeof data["files"] === "number" ? files(data["files"]) : "";
}

function hrefOf({ data }: ToldEvent, kind: string, accountId: string): string | undefined {
  const account = `/accounts/${accountId}`;
  const petId = memberOf(data["pet"], "id");
  const { projectId, domain } = data;
  if (typeof petId === "number") return `${account}/animals?animal=${petId}`;
  if (typeof domain === "string") return `/projects/${String(projectId)}/domains/${domain}`;
  if (typeof projectId === "string") return `/projects/${projectId}`;
  const views: Readonly<Record<string, string>> = {
    category: "/categories",
    key: "/keys",
    quota: "/usage",
    member: "/people",
    account: "",
  };
  const view = views[kind];
  return view === undefined ? undefined : account + view;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
