import { MINUTE_MS } from "../../../../lib/base/clock.ts";
import type { EventView } from "../../../../lib/management/event-pages.ts";
import { petStatuses } from "../../../../lib/catalogue/model-statuses.ts";
import type { EventType } from "../../../../lib/model/event-types.ts";
import type { IconName } from "../../components/icon.tsx";
import type { OverviewWords } from "../../words/en/overview.ts";

/** The type of an event; a change of status by the new status. */
export type ActivityCode = keyof OverviewWords["happened"];

/** One line of the recent activity. */
export interface Activity {
  readonly seq: number;
  readonly at: number;
  readonly code: ActivityCode;
  /** The name of what the event is about; empty for the account itself. */
  readonly subject: string;
  readonly icon: IconName;
  /** Needs attention. */
  readonly bad: boolean;
  readonly staging: boolean;
  /** Who caused it; absent if the reader may not know, or no one does. */
  readonly by?: NonNullable<EventView["actor"]>;
  /** How many similar events share this line. */
  readonly more: number;
  /** The page of its subject. */
  readonly href?: string;
}

const ICONS: Readonly<Record<string, IconName>> = {
  account: "settings",
  pet: "animals",
  photo: "animals",
  order: "orders",
  import: "upload",
  enquiry: "people",
  category: "animals",
  key: "keys",
  quota: "usage",
  token: "keys",
  member: "people",
  project: "projects",
  deploy: "projects",
  domain: "domain",
  webhook: "webhooks",
};

const BAD: ReadonlySet<ActivityCode> = new Set<ActivityCode>([
  "account.suspended",
  "key.banned",
  "quota.threshold_reached",
  "deploy.failed",
  "domain.contested",
  "domain.expiring",
  "domain.failed",
  "domain.drifting",
  "domain.moved",
  "domain.released",
  "webhook.disabled",
]);

/**
 * Turns events into lines, newest first. Events of animals of one kind and by one actor within a minute share a line, also
 * if other events of animals by this actor are between them. What an import wrote belongs to the line of the import.
 */
export function activityIn(
  events: readonly EventView[],
  { accountId, happened, starter, files }: Naming,
): readonly Activity[] {
  const lines: Activity[] = [];
  const imports: EventView[] = [];
  for (const event of events) {
    if (imports.some((one) => isOfImport(one, event))) continue;
    if (event.type === "import.finished") imports.push(event);
    const code = codeOf(event);
    if (code === undefined || !(code in happened)) continue;
    const place = placeIn(lines, event, code);
    const joined = lines[place];
    if (joined !== undefined) {
      lines[place] = { ...joined, more: joined.more + 1 };
      continue;
    }
    const kind = code.split(".", 1).join("");
    const href = hrefOf(event, kind, accountId);
    // Every enquiry is by a visitor; the words for such clients are those of setup links.
    const by = code === "enquiry.created" ? undefined : event.actor;
    lines.push({
      seq: event.seq,
      at: event.at,
      code,
      subject: subjectOf(event.data, { starter, files }),
      icon: ICONS[kind] ?? "info",
      bad: BAD.has(code),
      staging: event.environment === "staging",
      more: 0,
      ...(by === undefined ? {} : { by }),
      ...(href === undefined ? {} : { href }),
    });
  }
  return lines;
}

interface Naming extends Pick<OverviewWords, "happened" | "starter" | "files"> {
  readonly accountId: string;
}

/** A change of status has a code for each new status. */
function codeOf({ type, data }: EventView): ActivityCode | undefined {
  if (type !== "pet.status_changed") {
    // The caller leaves out codes that have no words.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return type as ActivityCode;
  }
  const status = petStatuses.find((one) => one === memberOf(data["pet"], "status"));
  return status === undefined ? undefined : `pet.${status}`;
}

/** Returns the index of the line that an event joins; -1 if it has a line of its own. */
function placeIn(lines: readonly Activity[], event: EventView, code: ActivityCode): number {
  if (!ANIMAL.test(code)) return -1;
  for (let place = lines.length - 1; place >= 0; place--) {
    const line = lines[place];
    const together =
      line !== undefined &&
      ANIMAL.test(line.code) &&
      line.staging === (event.environment === "staging") &&
      line.by?.kind === event.actor?.kind &&
      line.by?.id === event.actor?.id &&
      line.at - event.at < MINUTE_MS;
    if (!together) return -1;
    if (line.code === code) return place;
  }
  return -1;
}

const ANIMAL = /^(?:pet|photo)\./;

/** The types of events that an import writes while it runs. */
const IMPORTED: ReadonlySet<string> = new Set<EventType>([
  "category.created",
  "pet.created",
  "pet.updated",
  "pet.status_changed",
  "pet.profile_updated",
  "photo.added",
]);

/** Returns true for an event that an import wrote, as far as its actor, its time and its catalogue tell. */
function isOfImport(finished: EventView, event: EventView): boolean {
  const startedAt = memberOf(finished.data["import"], "startedAt");
  return (
    IMPORTED.has(event.type) &&
    event.environment === finished.environment &&
    event.actor?.kind === finished.actor?.kind &&
    event.actor?.id === finished.actor?.id &&
    typeof startedAt === "number" &&
    startedAt <= event.at &&
    event.at <= finished.at
  );
}

type Data = EventView["data"];

/** Finds the name of what an event is about in its data. */
function subjectOf(data: Data, { starter, files }: Pick<Naming, "starter" | "files">): string {
  const { name, domain, message, percent, keyId, host } = data;
  const names = [memberOf(data["pet"], "name"), memberOf(data["category"], "name"), name];
  const file = memberOf(data["import"], "fileName");
  const named = [...names, file, domain, message, keyId, host].find(
    (one) => typeof one === "string" && one !== "",
  );
  if (typeof named === "string") return named;
  if (typeof percent === "number") return String(percent);
  const petId = petOf(data);
  if (typeof petId === "number") return `#${petId}`;
  if (data["source"] === "starter") return starter;
  // A failed upload has none.
  const { files: count } = data;
  return typeof count === "number" && count > 0 ? files(count) : "";
}

function hrefOf({ type, data }: EventView, kind: string, accountId: string): string | undefined {
  const account = `/accounts/${accountId}`;
  const petId = petOf(data);
  const { projectId, domain } = data;
  if (type === "pet.deleted") return `${account}/deleted`;
  if (type.startsWith("order.")) return `${account}/orders`;
  if (typeof petId === "number") return `${account}/animals/${petId}`;
  if (typeof domain === "string") return `/projects/${String(projectId)}/domains/${domain}`;
  if (typeof projectId === "string") return `/projects/${projectId}`;
  const views: Readonly<Record<string, string>> = {
    category: "/categories",
    key: "/keys",
    quota: "/usage",
    import: "/import",
    member: "/people",
    account: "",
    webhook: "/webhooks",
  };
  const view = views[kind];
  return view === undefined ? undefined : account + view;
}

/** Finds the number of the animal that an event is about, itself, its profile, a photo, an adoption or an enquiry. */
function petOf({ pet, petId, order, enquiry }: Data): unknown {
  return petId ?? memberOf(pet, "id") ?? memberOf(order ?? enquiry, "petId");
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
