import { fakeSender, type FakeSender } from "./webhooks.ts";
import { createWebhooks, sqlWebhookStore, type Webhooks } from "../../lib/webhooks/index.ts";
import { createAudit, sqlAuditStore, type Audit } from "../../lib/audit/index.ts";
import { createRequests, sqlRequestStore, type Requests } from "../../lib/requests/index.ts";
import { createEnquiries, sqlEnquiryStore, type Enquiries } from "../../lib/enquiries/index.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { createPetstore, type Petstore } from "../../lib/index.ts";
import { createManagement } from "../../lib/management/create-management.ts";
import type {
  Management,
  ManagementContext,
  ManagementOptions,
} from "../../lib/management/management.ts";
import { local, type Principal, type Role } from "../../lib/accounts/principal.ts";
import { systemEndpoints } from "../../lib/management/routes/system.ts";
import { sqlTokenStore } from "../../lib/accounts/storage/sql-token-store.ts";
import type { Mail } from "../../lib/mail/mail.ts";
import type { Members } from "../../lib/members/create-members.ts";
import type { LeakedPasswords, Passwords } from "../../lib/members/passwords.ts";
import type { MemberStore } from "../../lib/members/member-store.ts";
import type { Passkeys } from "../../lib/members/passkeys.ts";
import type { Clock } from "../../lib/base/clock.ts";
import type { Blobs } from "../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../lib/publishing/memory-blobs.ts";
import type { ForActors } from "../../lib/model/actor.ts";
import type { Projects } from "../../lib/publishing/projects.ts";
import { createPublishing } from "../../lib/publishing/publishing.ts";
import { sqlProjectStore } from "../../lib/publishing/storage/sql-project-store.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { manualClock, type ManualClock } from "../../testing/clock.ts";
import { createImports, sqlImportStore, type Imports } from "../../lib/import/index.ts";
import { domainEndpoints } from "../../domains/http/endpoints.ts";
import { api, type Api } from "./api.ts";
import { openBrowser, type TestBrowser, type TestBrowserOptions } from "./browser-session.ts";
import { openActions, type ActionsFixture } from "./domains/actions-fixture.ts";
import { openMembers } from "./members.ts";
import { copyOf, migratedSql, sqlFrom } from "./migrated.ts";
import type { recorderOf } from "./recorded.ts";
import { quietSystem } from "./system.ts";
import { must } from "./outcome.ts";
import { quickImages } from "./pictures.ts";

/** The start of the tests' clocks: the start of a UTC day. */
export const START = 1_794_960_000_000;

/** The management API with its dependencies over a database in memory, with one account. */
export interface Office {
  readonly clock: ManualClock;
  readonly sql: Sql;
  readonly store: Store;
  readonly petstore: Petstore;
  readonly management: Management;
  readonly members: Members;
  readonly memberStore: MemberStore;
  readonly enquiries: Enquiries;
  readonly webhooks: Webhooks;
  /** The receiver of all webhooks. */
  readonly receiver: FakeSender;
  readonly audit: Audit;
  readonly requests: Requests;
  readonly imports: Imports;
  /** Custom domains. All plans and projects may have them. */
  readonly domainActions: ActionsFixture;
  readonly accountId: string;
  /** Calls `/manage/v1` as the given principal, without a token. */
  readonly as: (role: Role, accountId?: string) => Api;
  /** Like `as`, but returns the response, for streams. */
  readonly ask: (
    request: Request,
    principal?: ManagementContext["principal"],
    more?: ManagementContext,
  ) => Promise<Response>;
  /** Creates a token of the account, or of an operator. */
  readonly issue: (role: Role) => Promise<{ readonly id: string; readonly token: string }>;
  /** Opens a browser that is not signed in. */
  readonly browser: (options?: TestBrowserOptions) => TestBrowser;
  /** Adds a member and returns their signed-in browser. */
  readonly signIn: (role: Role, of?: SignInOptions) => Promise<SignedInBrowser>;
  /** Copies what the office has stored, if it is in memory. */
  readonly copy: () => OfficeCopy;
}

/** What an office has stored at an instant. */
export interface OfficeCopy {
  readonly database: Uint8Array;
  readonly now: number;
  readonly accountId: string;
  readonly photoBlobs: Blobs;
  readonly importBlobs: Blobs;
}

export interface SignInOptions {
  /** Default: the office's account; operators have none. */
  readonly accountId?: string;
  /** Default: an unused address. */
  readonly email?: string;
}

/** A member and their browser. */
export interface SignedInBrowser extends TestBrowser {
  readonly memberId: string;
  readonly sessionId: string;
  readonly email: string;
}

/** The password of every member in tests. */
export const PASSWORD = "seven brave otters swim";

export const BASE = "http://petstore.test";

export function principal(role: Role, accountId?: string): Principal {
  if (role === "operator") return local;
  return { role, accountId, name: `a ${role}`, counter: `${role} of ${accountId}` };
}

export async function openOffice({
  projects = noProjects,
  store: wrapped = (store) => store,
  domains = {},
  passwords,
  passkeys,
  leaked,
  mail,
  memberStore: wrappedMembers,
  path,
  copied,
  record = (store) => store,
  ...more
}: {
  readonly projects?:
    | ForActors<Projects>
    | ((office: Pick<Office, "sql" | "store" | "clock">) => Promise<ForActors<Projects>>);
  readonly store?: (store: Store) => Store;
  readonly domains?: Parameters<typeof openActions>[0];
  readonly passwords?: Passwords;
  readonly passkeys?: Passkeys;
  readonly leaked?: LeakedPasswords;
  /** Default: mail that is queued and never sent. */
  readonly mail?: Mail;
  readonly memberStore?: (memberStore: MemberStore) => MemberStore;
  /** The path of the database file. Default: in memory. */
  readonly path?: string;
  /** An office to begin as. */
  readonly copied?: OfficeCopy;
  /** Wraps every store. */
  readonly record?: ReturnType<typeof recorderOf>;
} & Partial<
  Pick<ManagementOptions, "log" | "previews" | "userName" | "trustedOrigins">
> = {}): Promise<Office> {
  const clock = manualClock(copied?.now ?? START);
  const sql = await openSql(path, copied, clock);
  const photoBlobs = await blobsFrom(copied?.photoBlobs, clock);
  const importBlobs = await blobsFrom(copied?.importBlobs, clock);
  const store = wrapped(record(await sqlStore({ sql, clock })));
  const encryptionKey = new Uint8Array(32).fill(7);
  const requestStore = await sqlRequestStore({ sql, clock });
  const requests = createRequests({ store, requestStore, clock });
  const petstore = createPetstore({
    store,
    clock,
    encryptionKey,
    requestLog: requests.requestLog,
    images: quickImages,
    blobs: photoBlobs,
  });
  const projectStore =
    typeof projects === "function" ? await projects({ sql, store, clock }) : projects;
  const domainActions = await openActions({
    sql,
    clock,
    gatekeeper: {
      gates: async () => ({ plan: true, deploy: true, project: true }),
      slugOf: async (projectId) => (await projectStore.byId(projectId))?.slug,
    },
    store: record,
    ...domains,
  });
  const tokenStore = record(await sqlTokenStore({ sql, clock }));
  const { members, memberStore } = await openMembers({
    sql,
    store,
    clock,
    encryptionKey,
    ...(passwords === undefined ? {} : { passwords }),
    ...(passkeys === undefined ? {} : { passkeys }),
    ...(leaked === undefined ? {} : { leaked }),
    mail,
    memberStore: (kept) => record(wrappedMembers?.(kept) ?? kept),
  });
  const enquiryStore = record(await sqlEnquiryStore({ sql, clock }));
  const enquiries = createEnquiries({
    store,
    enquiryStore,
    encryptionKey,
    clock,
    addressOf: (id, enquiry) => `${BASE}/accounts/${id}/enquiries?enquiry=${enquiry}`,
  });
  const receiver = fakeSender();
  const webhooks = createWebhooks({
    store,
    webhookStore: record(await sqlWebhookStore({ sql, clock })),
    sender: receiver,
    encryptionKey,
    clock,
  });
  const audit = createAudit({
    store,
    auditStore: await sqlAuditStore({ sql, clock }),
    clock,
  });
  const imports = createImports({
    store,
    importStore: await sqlImportStore({ sql, clock }),
    blobs: importBlobs,
    alone: true,
    clock,
  });
  const management = createManagement({
    store,
    tokenStore,
    sessions: members.sessions,
    client: petstore.client,
    projects: projectStore,
    photos: petstore.photos,
    more: [
      ...domainEndpoints(domainActions.contextFor),
      ...members.endpoints,
      ...enquiries.endpoints,
      ...webhooks.endpoints,
      ...audit.endpoints,
      ...requests.endpoints,
      ...imports.endpoints,
      ...systemEndpoints(quietSystem),
    ],
    addressOf: (slug) => `https://${slug}.petstore.test`,
    setupAddress: `${BASE}/setup`,
    encryptionKey,
    clock,
    ...more,
  });
  const accountId =
    copied?.accountId ?? must(await petstore.client.accounts.create({ name: "Otters" })).id;
  const ask: Office["ask"] = async (request, who, more = {}) =>
    management.fetch(request, who === undefined ? more : { ...more, principal: who });
  const as: Office["as"] = (role, id = accountId) =>
    api({ fetch: (request) => ask(request, principal(role, id)), base: BASE });
  const browser: Office["browser"] = (options) => openBrowser(management, options);
  let signedIn = 0;
  return {
    clock,
    sql,
    store,
    petstore,
    management,
    members,
    memberStore,
    enquiries,
    webhooks,
    receiver,
    audit,
    requests,
    imports,
    browser,
    signIn: async (role, { accountId: of = accountId, email } = {}) => {
      const path = role === "operator" ? "/members" : `/accounts/${of}/members`;
      const created = await as("operator").post<Newcomer>(`/manage/v1${path}`, {
        email: email ?? `${role}-${signedIn++}@example.org`,
        ...(role === "operator" ? {} : { role }),
      });
      const { member, link } = created.body;
      const opened = browser();
      const token = new URL(link.url).hash.slice(1);
      const body = { token, password: PASSWORD };
      const reply = await opened.api.post<{ sessionId: string }>("/manage/v1/reset", body);
      if (reply.status !== 201) throw new Error(reply.text);
      const { sessionId } = reply.body;
      return { ...opened, memberId: member.id, sessionId, email: member.email };
    },
    domainActions,
    accountId,
    as,
    ask,
    copy: () => ({
      database: copyOf(sql),
      now: clock.now(),
      accountId,
      photoBlobs,
      importBlobs,
    }),
    issue: async (role) => {
      const path = role === "operator" ? "/tokens" : `/accounts/${accountId}/tokens`;
      const body = role === "operator" ? {} : { role };
      const issued = await as("operator").post<{ id: string; token: string }>(
        `/manage/v1${path}`,
        body,
      );
      return issued.body;
    },
  };
}

/** Copies blobs into memory; without any, there are none. */
export async function blobsFrom(copied: Blobs | undefined, clock: Clock): Promise<Blobs> {
  const blobs = memoryBlobs({ clock });
  if (copied === undefined) return blobs;
  for await (const { sha256 } of copied.list()) {
    await blobs.put((await copied.read(sha256)) ?? new Uint8Array());
  }
  return blobs;
}

async function openSql(
  path: string | undefined,
  copied: OfficeCopy | undefined,
  clock: ManualClock,
): Promise<Sql> {
  if (path !== undefined) return bunSqliteSql({ path, clock });
  return copied === undefined ? migratedSql(clock) : sqlFrom(copied.database, clock);
}

interface Newcomer {
  readonly member: { readonly id: string; readonly email: string };
  readonly link: { readonly url: string };
}

/** Opens real projects over the same database, with blobs in memory. */
export async function realProjects({
  sql,
  store,
  clock,
}: Pick<Office, "sql" | "store" | "clock">): Promise<ForActors<Projects>> {
  const projectStore = await sqlProjectStore({ sql, clock });
  return createPublishing({ store, projectStore, blobs: memoryBlobs({ clock }), clock }).projects;
}

/** Projects for tests that do not use them. */
const noProjects: ForActors<Projects> = new Proxy({} as ForActors<Projects>, {
  get: () => () => {
    throw new Error("There are no projects in this test.");
  },
});
