import type { Deploy } from "../../../lib/publishing/model/deploy.ts";
import {
  createPublishing,
  sqlProjectStore,
  type Projects,
  type Publishing,
} from "../../../lib/publishing/index.ts";
import type { Blobs } from "../../../lib/publishing/blobs.ts";
import { issued } from "../../helpers/domains/actions-fixture.ts";
import {
  blobsFrom,
  openOffice,
  principal,
  type Office,
  type OfficeCopy,
} from "../../helpers/management.ts";
import { askAbout } from "./ask-about.ts";
import { belongings } from "./belongings.ts";
import { must } from "../../helpers/outcome.ts";
import type { recorderOf } from "../../helpers/recorded.ts";
import { pngOf } from "../../helpers/pictures.ts";

const PNG = { "content-type": "image/png" };

/** The path parameters of one account's resources. */
export type Things = Readonly<Record<string, string>>;

/** An account with one of each resource of the management API. */
export interface Tenant {
  readonly accountId: string;
  /** By the path parameter's name. */
  readonly things: Things;
  /** Texts that only this account may see. */
  readonly marks: readonly string[];
}

/** Two accounts that must be isolated from each other. */
export interface Tenants {
  readonly office: Office;
  readonly ours: Tenant;
  readonly theirs: Tenant;
  readonly publishing: Publishing;
}

/**
 * Opens both, in memory or in the file `path`. Those in memory are furnished once per process and copied, because that
 * takes longer than most tests.
 */
export async function openTenants({
  path,
  record = (store) => store,
}: {
  readonly path?: string;
  readonly record?: ReturnType<typeof recorderOf>;
} = {}): Promise<Tenants> {
  if (path !== undefined) return furnished({ path, record });
  const { ours, theirs, ...stored } = await (original ??= furnishOnce());
  return { ours, theirs, ...(await openRooms({ ...stored, record })) };
}

interface Original extends Pick<Tenants, "ours" | "theirs"> {
  readonly copied: OfficeCopy;
  /** Those of the projects. */
  readonly blobs: Blobs;
}

let original: Promise<Original> | undefined;

async function furnishOnce(): Promise<Original> {
  const { office, blobs, ours, theirs } = await furnished();
  const copied = office.copy();
  await office.management.close();
  return { ours, theirs, copied, blobs };
}

interface Rooms {
  readonly path?: string;
  readonly copied?: OfficeCopy;
  readonly blobs?: Blobs;
  readonly record?: ReturnType<typeof recorderOf>;
}

/** Opens an office with projects. */
async function openRooms({
  blobs,
  record = (store) => store,
  ...stored
}: Rooms = {}): Promise<Opened> {
  const opened: Omit<Opened, "office">[] = [];
  const office = await openOffice({
    ...stored,
    record,
    projects: async ({ sql, store, clock }) => {
      const own = await blobsFrom(blobs, clock);
      const projectStore = record(await sqlProjectStore({ sql, clock }));
      const publishing = createPublishing({ store, projectStore, blobs: own, clock });
      opened.push({ publishing, blobs: own });
      return publishing.projects;
    },
  });
  const [projects] = opened;
  if (projects === undefined) throw new Error("The office was opened without projects.");
  return { office, ...projects };
}

interface Opened extends Pick<Tenants, "office" | "publishing"> {
  readonly blobs: Blobs;
}

async function furnished(rooms?: Rooms): Promise<Tenants & Opened> {
  const { office, publishing, blobs } = await openRooms(rooms);
  const { body } = await office
    .as("operator")
    .post<{ readonly id: string }>("/manage/v1/accounts", { name: "Foxes of Elsewhere" });
  const operator = await office.issue("operator");
  const systemWebhook = await office
    .as("operator")
    .post<Made<string>>("/manage/v1/system/webhooks", { url: "https://otters.example/system" });
  const link = await office.as("operator").post<{ readonly url: string }>("/manage/v1/setup-links");
  // Cannot run the installation, because it has no password.
  const colleague = await office
    .as("operator")
    .post<{ readonly member: Made<string> }>("/manage/v1/members", { email: "ada@example.org" });
  const shared = {
    operatorToken: operator.id,
    systemWebhook: systemWebhook.body.id,
    operator: colleague.body.member.id,
    setup: new URL(link.body.url).hash.slice(1),
    signInChallenge: await challengeOf(office),
  };
  const { projects } = publishing;
  return {
    office,
    publishing,
    blobs,
    ours: await furnish({ office, projects, shared, head: 1 }, office.accountId, "otters"),
    theirs: await furnish({ office, projects, shared, head: 4 }, body.id, "foxes"),
  };
}

async function furnish(
  { office, projects, shared, head }: Builder,
  accountId: string,
  mark: string,
): Promise<Tenant> {
  const owner = office.as("owner", accountId);
  const account = `/manage/v1/accounts/${accountId}`;
  const made = async <Id = string>(path: string, body: unknown): Promise<Made<Id>> => {
    const reply = await owner.post<Made<Id>>(path, body);
    if (reply.status !== 201 && reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
    return reply.body;
  };
  const key = await made(`${account}/keys`, { name: `key of ${mark}` });
  const token = await made(`${account}/tokens`, { role: "viewer", name: `token of ${mark}` });
  const catalogue = `${account}/production`;
  // Animals and categories are numbered per account: a head start makes their ids differ between the accounts.
  await made(`${catalogue}/pets/import`, {
    rows: Array.from({ length: head }, () => ({ name: `Pet of ${mark}`, categoryId: 1 })),
  });
  const pet = await made<number>(`${catalogue}/pets`, { name: `Rex of ${mark}`, categoryId: 1 });
  // So do those of photos, which are numbered per animal.
  let photo: Photo = { id: 0, sizes: [] };
  for (let more = 0; more < head; more++) {
    const body = Uint8Array.from(await pngOf({ width: head, height: 1 + more }));
    const added = await owner.raw<Photo>("POST", `${catalogue}/pets/${pet.id}/photos`, {
      body,
      headers: PNG,
    });
    photo = added.body;
  }
  const [hash = "", file = ""] = (photo.sizes[0]?.url ?? "").split("/").slice(-2);
  let category = await made<number>(`${catalogue}/categories`, { name: `First of ${mark}` });
  for (let more = 1; more < head; more++) {
    category = await made<number>(`${catalogue}/categories`, {
      name: `Category ${more} of ${mark}`,
    });
  }
  let order = 0;
  while (order < head) {
    await made(`${catalogue}/pets`, { name: `Home of ${mark}`, categoryId: 1, status: "sold" });
    order++;
  }
  const adopter = { name: `Adopter of ${mark}` };
  await owner.patch(`${catalogue}/orders/${order}`, { adopter });
  for (let enquiry = 0; enquiry < head; enquiry++) {
    await askAbout(office, { accountId, petId: pet.id, mark });
  }
  const project = await made(`${account}/projects`, {
    name: `Site of ${mark}`,
    slug: `${mark}-site`,
  });
  const publish = async (): Promise<Deploy> =>
    must(await projects.deploys.create(project.id, { archive: "starter", author: mark }));
  const deploy = await publish();
  await office.clock.advance(1);
  await publish();
  const domain = await made(`/manage/v1/projects/${project.id}/domains`, {
    domain: `${mark}.shelter.org`,
  });
  await office.domainActions.domains.verify(
    { projectId: project.id, accountId },
    `${mark}.shelter.org`,
  );
  await office.domainActions.happen(domain.id, issued(office.clock.now(), `crt_${mark}`));
  const webhook = await made(`${account}/webhooks`, { url: `https://${mark}.example/hook` });
  const deleted = await made(`${account}/projects`, { name: `Trash of ${mark}` });
  must(await projects.delete(deleted.id));
  const member = await office.signIn("viewer", { accountId, email: `ada@${mark}.example` });
  const shareLink = await owner.post<{ readonly token: string }>(
    `/manage/v1/projects/${project.id}/domains/${domain.id}/share`,
    {},
  );
  const reset = await owner.post<{ readonly url: string }>(
    `${account}/members/${member.memberId}/reset-link`,
  );
  const upload = async (): Promise<string> => {
    const url = `http://petstore.test${catalogue}/imports`;
    const headers = { "content-type": "text/csv" };
    const body = `name,category\nFile of ${mark},Dogs\n`;
    const sent = new Request(url, { method: "POST", headers, body });
    const { id }: Made<string> = await (
      await office.ask(sent, principal("owner", accountId))
    ).json();
    await office.imports.idle();
    return id;
  };
  const files = { import: await upload(), otherImport: await upload(), doneImport: await upload() };
  await owner.post(`${catalogue}/imports/${files.doneImport}/run`);
  await office.imports.idle();
  const event = await firstDelivery(office, webhook.id);
  const { challenge: _challenge, ...own } = await belongings(office, member);
  const request = `request-of-${mark}`;
  await office.petstore.fetch(
    new Request("http://petstore.test/v1/pets", {
      headers: { authorization: `Bearer ${key.key}`, "x-request-id": request },
    }),
  );
  await office.petstore.jobs.tick();
  await office.requests.jobs.tick();
  return {
    accountId,
    things: {
      ...shared,
      account: accountId,
      environment: "production",
      key: key.id,
      request,
      pet: String(pet.id),
      photo: String(photo.id),
      hash,
      file,
      category: String(category.id),
      order: String(order),
      enquiry: String(head),
      webhook: webhook.id,
      event,
      token: token.id,
      project: project.id,
      deploy: deploy.id,
      domain: `${mark}.shelter.org`,
      deletedProject: deleted.id,
      ...files,
      member: member.memberId,
      email: member.email,
      reset: new URL(reset.body.url).hash.slice(1),
      shared: shareLink.body.token,
      ...own,
    },
    marks: [
      accountId,
      mark,
      key.id,
      token.id,
      project.id,
      deploy.id,
      domain.id,
      deleted.id,
      webhook.id,
      hash,
      ...Object.values(files),
      member.memberId,
      ...Object.values(own),
    ],
  };
}

/** Returns a challenge for any passkey. */
async function challengeOf(office: Office): Promise<string> {
  const { api } = office.browser();
  const begun = await api.post<{ readonly challenge: string }>(
    "/manage/v1/sessions/passkey/options",
  );
  return begun.body.challenge;
}

interface Builder {
  readonly office: Office;
  readonly projects: Projects;
  /** Resources that belong to no account. */
  readonly shared: Things;
  /** The number of animals and categories before those in paths. */
  readonly head: number;
}

interface Photo {
  readonly id: number;
  readonly sizes: readonly { readonly url: string }[];
}

interface Made<Id> {
  readonly id: Id;
  /** The id of an API key. */
  readonly key?: string;
}

/** Delivers what waits, and returns the event of a webhook's first delivery. */
async function firstDelivery({ webhooks, clock, sql }: Office, webhookId: string): Promise<string> {
  for (let round = 0; round < 3; round++) {
    await clock.advance(1_000);
    await webhooks.jobs.tick();
  }
  const rows = await sql.query({
    text: "SELECT MIN(seq) AS seq FROM webhook_deliveries WHERE webhook_id = ?",
    values: [webhookId],
  });
  return String(rows[0]?.["seq"]);
}
