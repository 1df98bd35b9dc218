import { accountShape } from "../accounts/shapes/account.ts";
import { roles } from "../accounts/principal.ts";
import { orderStatuses, petStatuses } from "../catalogue/model.ts";
import { profileExample, ProfileSchema, type ProfileShown } from "../catalogue/profile-schema.ts";
import { CategorySchema, petExample, PetSchema } from "../catalogue/schema.ts";
import { MAX_ID } from "../base/id.ts";
import {
  choice,
  count,
  declared,
  fields,
  flag,
  instant,
  list,
  text,
  whole,
  type Shape,
} from "../base/shape.ts";
import { environments } from "../model/account.ts";
import { deployFailureShape, deployStates } from "../model/deploy-states.ts";
import { eventChoices } from "../model/event-groups.ts";
import type { EventType } from "../model/event-types.ts";

/** What the events of a type say. Instants are RFC 3339 on the wire. */
export interface EventDescription<Data = unknown> {
  /** Completes "is sent when …". */
  readonly when: string;
  /** The `data` of the event. */
  readonly data: Shape<Data>;
  /** An example of its `data`. */
  readonly example: Readonly<Record<string, unknown>>;
}

const id = whole({ format: "int64", minimum: 1, maximum: MAX_ID });
const T = "2026-11-20T09:30:00.000Z";

const account = {
  id: "acc_3kX9bQ2mZ7Lt",
  name: "Happy Tails",
  plan: "free",
  limits: { perMinute: 60, perDay: 1_000 },
  createdAt: T,
};
const accountData = fields({ account: accountShape });

const petData = fields({ pet: PetSchema });
// Photos have events of their own.
const profileMembers = Object.fromEntries(
  Object.entries(ProfileSchema.json["properties"] ?? {}).filter(([name]) => name !== "photos"),
);
const { photos: _pictures, ...profile } = profileExample;
const profileData = fields({
  petId: id,
  profile: declared<Omit<ProfileShown, "photos">>({
    ...ProfileSchema.json,
    properties: profileMembers,
  }),
});

const pixels = whole({ minimum: 1 });
const percent = whole({ minimum: 0, maximum: 100 });
const photoData = fields({
  petId: id,
  photo: fields(
    { id: whole({ minimum: 1 }), width: pixels, height: pixels },
    { alt: text(), focus: fields({ x: percent, y: percent }) },
  ),
});
const photo = { petId: 1, photo: { id: 2, alt: "Rex runs", width: 1_600, height: 1_200 } };

const categoryData = fields({ category: CategorySchema });
const category = { category: { id: 4, name: "Rabbits" } };

const orderData = fields({
  order: fields(
    { id, petId: id, status: choice(orderStatuses), createdAt: instant() },
    { returnedAt: instant("When the animal was returned.") },
  ),
});
const order = { order: { id: 7, petId: 1, status: "placed", createdAt: T } };

const importId = text("`imp_…`");
const fileName = text("The name of the file that was uploaded.");

const key = {
  keyId: text("The ID of the key, which is safe to show."),
  name: text(),
  environment: choice(environments),
};
const keyData = fields(key);
const keyExample = { keyId: "8fJ2kQ0aZx", name: "Website", environment: "production" };

const tokenData = fields({ tokenId: text(), role: choice(roles), name: text() });
const token = { tokenId: "4fGq8Zt1Lm", role: "staff", name: "ci" };

const memberFields = {
  memberId: text("`mem_…`"),
  role: choice(roles),
  name: text("The display name of the member; may be empty. Personal data of your staff."),
};
const memberData = fields(memberFields);
const member = { memberId: "mem_8fJ2kQ0aZx1B", role: "staff", name: "Grace" };

const projectData = fields({ projectId: text("`prj_…`"), slug: text(), name: text() });
const project = { projectId: "prj_3kT9vW2mXq7L", slug: "happy-tails", name: "Happy Tails" };

const deployData = fields(
  {
    deployId: text("20 characters."),
    projectId: text("`prj_…`"),
    state: choice(deployStates),
    source: choice(["archive", "starter"]),
    author: text("The name of the token or the member that sent it."),
    files: count("Number of files; 0 until the deploy is ready."),
    bytes: count("Total size of the files."),
  },
  { message: text("The author's description."), failure: deployFailureShape },
);
const deploy = {
  deployId: "q7m2x9k4p1t8r5w3z6b0",
  projectId: "prj_3kT9vW2mXq7L",
  state: "ready",
  source: "archive",
  author: "ci",
  files: 12,
  bytes: 48_213,
  message: "New opening hours",
};

const certificate = {
  issuer: text("The authority of the certificate, as an address."),
  expiresAt: instant("When the certificate expires."),
  stage: whole({
    minimum: 0,
    description: "The quarters of the time from renewal to expiry that have passed.",
  }),
};
const reason = {
  code: text("The code of a finding or of a refusal."),
  message: text("For people."),
};
const domainData = fields(
  { domainId: text("`dom_…`"), domain: text("In A-labels."), projectId: text("`prj_…`") },
  { ...reason, ...certificate },
);
const domain = {
  domainId: "dom_9kT2vW7mXq3L",
  domain: "adopt.example.org",
  projectId: "prj_3kT9vW2mXq7L",
};
const hostData = fields({ host: text() }, { ...reason, ...certificate });

const webhookData = fields(
  {
    webhookId: text("`wh_…`"),
    host: text("The host of the URL, which is not in events: it may contain a secret."),
    disabled: flag(),
  },
  {
    description: text(),
    types: list(choice(eventChoices), { description: "Absent: all types." }),
    environment: choice(environments, "Absent: both."),
  },
);
const webhook = { webhookId: "wh_5Rk8bQ2mZ7Lt", host: "example.org", disabled: false };

/** What the events of each type say. A test compares it with what the service writes. */
export const eventData = {
  "account.created": of("an account is created", accountData, { account }),
  "account.updated": of("the name, the plan or the limits of an account change", accountData, {
    account: { ...account, plan: "pro", limits: { perMinute: 600, perDay: 100_000 } },
  }),
  "account.suspended": of("an account is suspended", accountData, {
    account: { ...account, suspendedAt: T },
  }),
  "account.resumed": of("an account is resumed", accountData, { account }),
  "account.deleted": of(
    "an account is deleted. Only the webhooks of the installation get it",
    fields({ account: fields({ id: text("`acc_…`") }) }),
    { account: { id: account.id } },
  ),
  "pet.created": of("an animal is added", petData, { pet: petExample }),
  "pet.updated": of("a field of an animal other than its status changes", petData, {
    pet: { ...petExample, name: "Rexy" },
  }),
  "pet.status_changed": of(
    "the status of an animal changes, also together with other fields",
    fields({ pet: PetSchema, from: choice(petStatuses, "The status before.") }),
    { pet: { ...petExample, status: "sold" }, from: "pending" },
  ),
  "pet.deleted": of("an animal is deleted. It can be restored for 48 hours", petData, {
    pet: petExample,
  }),
  "pet.restored": of("a deleted animal is restored", petData, { pet: petExample }),
  "pet.profile_updated": of(
    "the profile of an animal changes, or the order or the text of its photos. Members that only staff see are absent",
    profileData,
    { petId: 1, profile },
  ),
  "photo.added": of("a photo is added to an animal", photoData, photo),
  "photo.removed": of("a photo of an animal is removed", photoData, photo),
  "category.created": of("a category is created", categoryData, category),
  "category.updated": of("a category is renamed", categoryData, category),
  "category.deleted": of("a category is deleted", categoryData, category),
  "order.placed": of(
    "an animal becomes `sold`, also by being created so. Adopters are in no event",
    orderData,
    order,
  ),
  "order.updated": of("an order changes", orderData, {
    order: { ...order.order, status: "delivered" },
  }),
  "order.removed": of("an order is removed", orderData, order),
  "import.finished": of(
    "an import has read its file",
    fields({
      import: fields({
        id: importId,
        fileName,
        startedAt: instant(),
        added: count("Animals that were added."),
        updated: count("Animals that were changed."),
        same: count("Rows of animals that were like that already."),
        skipped: count("Rows that look like animals that are there, and were left out."),
        faulty: count("Rows with faults, which were left out."),
        sold: count("Animals that the file no longer has, which were set to `sold`."),
      }),
    }),
    {
      import: {
        id: "imp_7fJ2kQ0aZx1B",
        fileName: "animals.csv",
        startedAt: T,
        ...{ added: 40, updated: 2, same: 0, skipped: 1, faulty: 0, sold: 0 },
      },
    },
  ),
  "import.undone": of(
    "an import is undone",
    fields({
      import: fields({
        id: importId,
        fileName,
        undone: count("Animals that are as they were before."),
        kept: count("Animals that were changed since, and stay."),
      }),
    }),
    { import: { id: "imp_7fJ2kQ0aZx1B", fileName: "animals.csv", undone: 41, kept: 1 } },
  ),
  "enquiry.created": of(
    "a visitor asks about an animal. Read the enquiry in the management API: what the visitor typed is in no event",
    fields({
      enquiry: fields({ id, petId: id, projectId: text("`prj_…`"), createdAt: instant() }),
    }),
    { enquiry: { id: 12, petId: 1, projectId: project.projectId, createdAt: T } },
  ),
  "key.created": of("an API key is created", keyData, keyExample),
  "key.updated": of("an API key is renamed", keyData, keyExample),
  "key.rotated": of(
    "an API key is replaced",
    fields({ ...key, replacedBy: text("The ID of its successor.") }),
    { ...keyExample, replacedBy: "2gK3lR1bYw" },
  ),
  "key.revoked": of("an API key is revoked", keyData, keyExample),
  "key.banned": of(
    "an API key is banned for a while, because it kept sending requests after 429",
    fields({ ...key, until: instant("When the ban ends."), level: count("Longer with each ban.") }),
    { ...keyExample, until: T, level: 1 },
  ),
  "key.unbanned": of("a ban is lifted", keyData, keyExample),
  "quota.threshold_reached": of(
    "an account has used 80 or 100 percent of a day's requests",
    fields(
      { percent: whole({ minimum: 1 }), environment: choice(environments) },
      { limit: count("The limit per day."), resetsAt: instant("When the day's window ends.") },
    ),
    { percent: 80, environment: "production", limit: 1_000, resetsAt: T },
  ),
  "token.created": of("a management token is created", tokenData, token),
  "token.revoked": of("a management token is revoked", tokenData, token),
  "member.created": of("a member is added", memberData, member),
  "member.updated": of("the name or the role of a member changes", memberData, member),
  "member.removed": of("a member is removed", memberData, member),
  "member.device_added": of(
    "a member signs in from a browser that has no cookie of an earlier sign-in. Not sent for the first one",
    fields(
      { ...memberFields, sessionId: text("`ses_…`") },
      { mailOff: flag("True if the member had turned off the mails about it.") },
    ),
    { ...member, sessionId: "ses_3kT9vW2mXq7L" },
  ),
  "project.created": of("a project is created", projectData, project),
  "project.updated": of("a project changes", projectData, project),
  "project.deleted": of("a project is deleted. It can be restored", projectData, project),
  "project.restored": of("a deleted project is restored", projectData, project),
  "deploy.created": of("a deploy begins", deployData, {
    ...deploy,
    state: "uploading",
    files: 0,
    bytes: 0,
  }),
  "deploy.ready": of("a deploy is complete", deployData, deploy),
  "deploy.activated": of("a deploy becomes live", deployData, { ...deploy, state: "live" }),
  "deploy.failed": of("a deploy fails", deployData, {
    ...{ ...deploy, state: "failed", files: 0, bytes: 0 },
    failure: { code: "invalid_archive", message: "The archive has no files." },
  }),
  "deploy.deleted": of("a deploy is deleted", deployData, { ...deploy, state: "superseded" }),
  "domain.added": of("a domain is added", domainData, domain),
  "domain.verified": of("the records of a domain are right", domainData, domain),
  "domain.contested": of("another account proves that it controls the domain", domainData, domain),
  "domain.issuing": of("a certificate for a domain is ordered", domainData, domain),
  "domain.live": of("a domain serves the site over HTTPS", domainData, domain),
  "domain.renewed": of("the certificate of a domain is renewed", domainData, domain),
  "domain.expiring": of(
    "a certificate that should have been renewed comes closer to its end",
    domainData,
    { ...domain, issuer: "https://acme-v02.api.letsencrypt.org/directory", expiresAt: T, stage: 2 },
  ),
  "domain.failed": of("a domain needs attention", domainData, {
    ...{ ...domain, code: "caa_forbids" },
    message: "A CAA record does not allow the certificate authority.",
  }),
  "domain.drifting": of("a live domain no longer points here", domainData, domain),
  "domain.moved": of("a domain has pointed elsewhere for 7 days", domainData, domain),
  "domain.released": of(
    "a domain has pointed elsewhere for 30 days and is removed",
    domainData,
    domain,
  ),
  "domain.removed": of("a domain is removed, or lost to another account", domainData, domain),
  "host.expiring": of(
    "the certificate of a host of the service itself comes closer to its end. Only the webhooks of the installation get it",
    hostData,
    {
      host: "pets.example.org",
      issuer: "https://acme-v02.api.letsencrypt.org/directory",
      expiresAt: T,
      stage: 1,
    },
  ),
  "backup.failed": of(
    "a scheduled backup failed. Only the webhooks of the installation get it",
    fields(
      { reason: text("What went wrong.") },
      { lastGoodAt: instant("When the last good backup was made; absent if there is none.") },
    ),
    { reason: "The target is full.", lastGoodAt: T },
  ),
  "clock.skewed": of(
    "the clock of a machine is wrong. Only the webhooks of the installation get it",
    fields({ code: text(), aheadSeconds: whole() }),
    { code: "clock_skew", aheadSeconds: -84 },
  ),
  "webhook.created": of("a webhook is created", webhookData, webhook),
  "webhook.updated": of(
    "a webhook is changed, enabled or disabled by a person",
    webhookData,
    webhook,
  ),
  "webhook.rotated": of("the secret of a webhook is replaced", webhookData, webhook),
  "webhook.removed": of("a webhook is deleted", webhookData, webhook),
  "webhook.disabled": of(
    "the service disables a webhook: the receiver answered 410, or nothing arrived for five days",
    fields(
      {
        webhookId: text("`wh_…`"),
        host: text(),
        reason: choice(["gone", "failing"]),
      },
      {
        description: text(),
        status: whole({ description: "HTTP status of the last answer; absent without one." }),
        firstFailureAt: instant("The first failed attempt since the last success."),
      },
    ),
    {
      webhookId: webhook.webhookId,
      host: webhook.host,
      reason: "failing",
      status: 503,
      firstFailureAt: T,
    },
  ),
} satisfies Readonly<Record<EventType, EventDescription>>;

function of<Data>(
  when: string,
  data: Shape<Data>,
  example: EventDescription["example"],
): EventDescription<Data> {
  return { when, data, example };
}
