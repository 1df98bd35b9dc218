import { isoTime } from "../../base/clock.ts";
import { MAX_ID } from "../../base/id.ts";
import { done, type Result } from "../../base/result.ts";
import { named, object, oneOf, type Schema } from "../../base/schema.ts";
import { choice, declared, instant, list, listOf, shape, text, whole } from "../../base/shape.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import {
  choicesParameter,
  idParameter,
  instantParameter,
  integerParameter,
  limitParameter,
  textParameter,
  type QueryOf,
} from "../../http/parameters.ts";
import type { Problem } from "../../base/problem.ts";
import { actorShape, type ActorView } from "../../management/actor-views.ts";
import { inAccount, onPlatform, type ManagementCall } from "../../management/endpoint.ts";
import { inCatalogue } from "../../management/in-catalogue.ts";
import type { ManagementServices } from "../../management/management.ts";
import { pageOf } from "../../management/next-link.ts";
import { environments, type Environment } from "../../model/account.ts";
import { actorIn } from "../../model/actor.ts";
import { memberNamed, recordedTypes } from "../../model/audit-types.ts";
import { environmentFinder } from "../../storage/environment-finder.ts";
import { MAX_ROWS, type AuditFilter, type AuditStore } from "../audit-store.ts";
import type { AuditRow, AuditValue } from "../model.ts";

// Generators of clients know unions, but no list of types.
const value = declared<AuditValue>({
  anyOf: [{ type: "string" }, { type: "integer" }, { type: "boolean" }],
});
const values = declared<Readonly<Record<string, AuditValue>>>({
  type: "object",
  additionalProperties: value.json,
  description: "Some values of the change, none of which is personal data.",
});
const hash = text("SHA-256, in hex.", { pattern: "^[0-9a-f]{64}$" });
const number = whole({ format: "int64", minimum: 1, maximum: MAX_ID });

/** Channels are names that later versions may add to. */
const channel = text(
  "How the change reached the service. `api`: an API key or a management token. `dashboard`: a page. `command`: a command on the server. `remote`: a command elsewhere.",
);
const address = text("The client's IP address.");
const subject = text("What was changed: a noun, a colon and an ID.");
const fields = list(text(), { description: "The names of the changed fields." });

const entryShape = shape(
  "AuditEntry",
  {
    id: number,
    at: instant(),
    type: text("The type of an event, or of an entry that only this log has."),
  },
  {
    accountId: text(),
    environment: choice(environments, "Absent if the entry is not about a catalogue."),
    actor: actorShape,
    channel,
    address,
    subject,
    fields,
    values,
  },
);
const entriesShape = listOf("AuditEntries", entryShape);

/** An entry of the audit log as the management API sends it. */
interface EntryView {
  readonly id: number;
  readonly at: number;
  readonly type: string;
  readonly accountId?: string;
  readonly environment?: Environment;
  readonly actor?: ActorView;
  readonly channel?: string;
  readonly address?: string;
  readonly subject?: string;
  readonly fields?: readonly string[];
  readonly values?: Readonly<Record<string, AuditValue>>;
}

const example = {
  id: 4711,
  at: "2026-11-20T09:30:00.000Z",
  type: "pet.status_changed",
  accountId: "acc_3kX9bQ2mZ7Lt",
  environment: "production",
  actor: { kind: "member", id: "mem_8fJ2kQ0aZx1B", name: "Grace" },
  channel: "dashboard",
  address: "203.0.113.7",
  subject: "pet:7",
  fields: ["status"],
  values: { before: "pending", status: "sold" },
};

/** What can be exported. */
const exported = ["animals", "enquiries"] as const;

const ExportSchema: Schema<{ readonly what: (typeof exported)[number] }> & {
  readonly name: string;
} = named(
  "Export",
  object({ what: oneOf(exported, { description: "What is exported.", examples: ["animals"] }) }),
);

const filters = {
  actor: textParameter(
    "Only what this actor did: `member:`, `token:`, `key:` or `user:` and an ID, or `visitor`, `command`, `host`, `system`.",
    {
      maxLength: 150,
      rule: "must be an actor such as member:mem_8fJ2kQ0aZx1B or system",
      pattern:
        /^(?:visitor|command|host|system|(?:member|token|key):\w{1,64}(?::operators)?|user:[!-~]{1,138})$/,
    },
  ),
  types: choicesParameter("Only entries of these types.", recordedTypes),
  since: instantParameter("Only entries at or after this instant."),
  until: instantParameter("Only entries before this instant."),
  after: idParameter("Only entries older than the one with this ID."),
  limit: limitParameter({ maximum: MAX_ROWS, fallback: 100 }),
};

const inAccountFilters = {
  ...filters,
  subject: textParameter("Only entries about this subject.", {
    maxLength: 300,
    rule: "must be a subject such as pet:7",
    pattern: /^[a-z]+:.+$/,
  }),
};

const placeShape = { seq: whole({ format: "int64", minimum: 0, maximum: MAX_ID }), hash };

const chainShape = shape("AuditChain", {
  checkpoint: shape("AuditPlace", placeShape, {
    at: instant("When the rows up to here were removed, because they were old."),
  }),
  head: shape("AuditHead", placeShape),
  rows: list(
    shape(
      "AuditRow",
      { seq: number, event: number, at: instant(), type: text(), hash },
      {
        account: text(),
        catalogue: number,
        actor: text("As it is stored: `member:mem_…`."),
        channel,
        address,
        subject,
        fields,
        values,
      },
    ),
  ),
});

const success = {
  status: 200,
  description: "One page, newest first. `Link` leads to the next one, if any.",
  schema: entriesShape,
  example: [example],
  headers: ["Link"],
} as const;

const description =
  "Who did what, from where and when. An entry appears a second after its change, and stays for the time of `audit-keep`. It has the names of the changed fields, and few values: no names of people, and nothing that a person wrote.";

/** The operations on the audit log. Nothing writes to it. */
export function auditEndpoints({ auditStore }: { readonly auditStore: AuditStore }) {
  return [
    endpoint({
      operationId: "listAccountAudit",
      method: "GET",
      path: "/accounts/:account/audit",
      tag: "audit",
      access: inAccount("owner"),
      summary: "List the audit log of an account",
      description,
      query: inAccountFilters,
      success,
      refusals: ["invalid_parameter", "unknown_parameter"],
      run: (call, services) => {
        const { account, query } = call;
        return pageFor({ auditStore, services }, call, `/accounts/${account.id}/audit`, {
          ...query,
          accountId: account.id,
        });
      },
    }),
    endpoint({
      operationId: "listAudit",
      method: "GET",
      path: "/audit",
      tag: "audit",
      access: onPlatform("operator"),
      summary: "List the audit log of the installation",
      description: `${description} It includes the entries of deleted accounts.`,
      query: filters,
      success,
      refusals: ["invalid_parameter", "unknown_parameter"],
      run: (call, services) => pageFor({ auditStore, services }, call, "/audit", call.query),
    }),
    endpoint({
      operationId: "recordExport",
      method: "POST",
      path: "/accounts/:account/:environment/exports",
      tag: "animals",
      access: inAccount("viewer"),
      summary: "Record an export",
      description:
        "Programs that write all animals or all enquiries to a file call it before they read them, so that the audit log names the person. The dashboard and `petstore pets export` do.",
      body: ExportSchema,
      records: ({ body }) => ({
        type:
          memberNamed(body, "what") === "enquiries" ? "enquiries.exported" : "catalogue.exported",
        data: {},
      }),
      success: { status: 204, description: "It was recorded." },
      refusals: ["not_found"],
      run: (call, services) => inCatalogue(call, services.store, async () => done(undefined)),
    }),
    endpoint({
      operationId: "readAuditChain",
      method: "GET",
      path: "/audit/chain",
      tag: "audit",
      access: onPlatform("operator"),
      summary: "Read the audit log as it is stored",
      description:
        "The rows with their hashes, oldest first, for `petstore audit verify` and `audit export`. `checkpoint` is the place before the oldest row, and `head` the last one at this moment.",
      query: {
        after: integerParameter("Only rows after this number. Default: from the oldest one."),
        limit: limitParameter({ maximum: MAX_ROWS, fallback: 100 }),
      },
      success: {
        status: 200,
        description: "The next rows, if any.",
        schema: chainShape,
        example: {
          checkpoint: { seq: 0, hash: "0".repeat(64) },
          head: { seq: 1, hash: "5".repeat(64) },
          rows: [
            {
              seq: 1,
              event: 3,
              at: "2026-11-20T09:30:00.000Z",
              type: "account.created",
              account: "acc_3kX9bQ2mZ7Lt",
              actor: "command",
              channel: "command",
              subject: "account:acc_3kX9bQ2mZ7Lt",
              values: { plan: "free" },
              hash: "5".repeat(64),
            },
          ],
        },
      },
      refusals: ["invalid_parameter", "unknown_parameter"],
      run: async ({ query: { after, limit } }) => {
        // In this order: rows that are removed or added meanwhile make the page neither wrong nor incomplete.
        const { seq, hash: last } = await auditStore.head();
        const checkpoint = await auditStore.checkpoint();
        const rows = await auditStore.after(Math.max(after ?? 0, checkpoint.seq), limit);
        const head = { seq, hash: last };
        return done({ checkpoint, head, rows: rows.filter((row) => row.seq <= seq) });
      },
    }),
  ];
}

type Query = QueryOf<typeof filters> & { readonly subject?: string; readonly accountId?: string };

async function pageFor(
  {
    auditStore,
    services,
  }: { readonly auditStore: AuditStore; readonly services: ManagementServices },
  call: ManagementCall,
  path: string,
  { after, limit, accountId, ...query }: Query,
): Promise<Result<Reply<readonly EntryView[]>, Problem>> {
  // One more row shows whether another page follows.
  const found = await listed(auditStore, { ...query, accountId }, { after, limit: limit + 1 });
  const views = await viewsOf(found, call, services);
  const { types, since, until } = query;
  const texts = { types: types?.join(","), since: timeText(since), until: timeText(until) };
  const next = { ...query, ...texts, limit };
  const { rows, headers } = pageOf(call, path, views, next);
  return done(new Reply(rows, { headers }));
}

/** Lists rows of several types: each has its own range of an index, whose first rows are merged. */
async function listed(
  auditStore: AuditStore,
  { types, ...filter }: Omit<AuditFilter, "type"> & Pick<Query, "types">,
  page: { readonly after: number | undefined; readonly limit: number },
): Promise<readonly AuditRow[]> {
  if (types === undefined) return auditStore.list(filter, page);
  const found = await Promise.all(
    [...new Set(types)].map(async (type) => auditStore.list({ ...filter, type }, page)),
  );
  return found
    .flat()
    .toSorted((a, b) => b.at - a.at || b.seq - a.seq)
    .slice(0, page.limit);
}

function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : isoTime(at);
}

/** Returns rows as their reader may see them. Looks up each actor once: names change, and are stored nowhere else. */
async function viewsOf(
  rows: readonly AuditRow[],
  { principal }: ManagementCall,
  { store, showActor }: ManagementServices,
): Promise<readonly EntryView[]> {
  const environmentOf = environmentFinder(store);
  const known = new Map<string, ActorView | undefined>();
  const views: EntryView[] = [];
  for (const row of rows) {
    const { seq, event: _event, hash: _hash, account, catalogue, actor: by, ...shown } = row;
    if (by !== undefined && !known.has(by)) {
      const read = actorIn(by);
      known.set(by, read === undefined ? undefined : await showActor(read, principal));
    }
    const actor = by === undefined ? undefined : known.get(by);
    const environment = catalogue === undefined ? undefined : await environmentOf(catalogue);
    // Where operators work from does not concern an account.
    const { address: from, ...rest } = shown;
    const isTheirs = actor?.kind === "operator";
    views.push({
      id: seq,
      ...rest,
      ...(from === undefined || isTheirs ? {} : { address: from }),
      ...(account === undefined ? {} : { accountId: account }),
      ...(environment === undefined ? {} : { environment }),
      ...(actor === undefined ? {} : { actor }),
    });
  }
  return views;
}
