import type { PostgresCounters, PostgresSql } from "../../adapters/postgres/sql.ts";
import type { RedisCounters } from "../../adapters/redis/limits.ts";
import {
  domainSchema,
  endLeases,
  sqlDomainStore,
  sqlLeases,
  type DomainStore,
  type Leases,
} from "../../domains/index.ts";
import { importSchema, sqlImportStore, type ImportStore } from "../../lib/import/index.ts";
import {
  migrate,
  sqlStore,
  storeSchema,
  systemClock,
  type Clock,
  type Schema,
  type Sql,
  type Store,
} from "../../lib/index.ts";
import type { StoreClock } from "../../lib/base/store-clock.ts";
import { mailSchema, sqlMailStore, type MailStore } from "../../lib/mail/index.ts";
import { sqlTokenStore, tokenSchema, type TokenStore } from "../../lib/management/index.ts";
import { memberSchema, sqlMemberStore, type MemberStore } from "../../lib/members/index.ts";
import { auditSchema, sqlAuditStore, type AuditStore } from "../../lib/audit/index.ts";
import { enquirySchema, sqlEnquiryStore, type EnquiryStore } from "../../lib/enquiries/index.ts";
import { requestSchema, sqlRequestStore, type RequestStore } from "../../lib/requests/index.ts";
import {
  projectSchema,
  sqlProjectStore,
  type Blobs,
  type ProjectStore,
} from "../../lib/publishing/index.ts";
import { sqlWebhookStore, webhookSchema, type WebhookStore } from "../../lib/webhooks/index.ts";
import { knownSchemasAt, type Versions } from "../../transfer/tables.ts";
import { historyInSql, type BackupHistory } from "../backup/state.ts";
import { blobComponents } from "./blobs.ts";
import { nodeSchema, sqlNodes, type NodeIdentity, type Nodes } from "../nodes/nodes.ts";
import { watchWrites, type Writes } from "../process/readiness.ts";
import { machineClock } from "../process/runtime.ts";

/** The open stores of an installation. */
export interface Storage {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly projectStore: ProjectStore;
  readonly importStore: ImportStore;
  readonly tokenStore: TokenStore;
  readonly memberStore: MemberStore;
  readonly mailStore: MailStore;
  readonly enquiryStore: EnquiryStore;
  readonly webhookStore: WebhookStore;
  readonly auditStore: AuditStore;
  readonly requestStore: RequestStore;
  readonly domainStore: DomainStore;
  readonly leases: Leases;
  /** Undefined if one process has the database: then it counts in its memory. */
  readonly counters: PostgresCounters | undefined;
  /** Counts instead of `counters` as long as it can be used. */
  readonly redis?: RedisCounters | undefined;
  /** Undefined if the database is used by one process alone. */
  readonly nodes: Nodes | undefined;
  /** Undefined if the data directory has it. */
  readonly backups: BackupHistory | undefined;
  /** Whether no other process used the database when it was opened. */
  readonly alone: boolean;
  /** Counts the writes to the database. */
  readonly writes: Writes;
  /** The time of all stores: the database's, if it has a clock. */
  readonly clock: StoreClock;
  close(): Promise<void>;
}

/** The tables of an installation, without those of site files. */
export const schemas: readonly Schema[] = [
  storeSchema,
  projectSchema,
  importSchema,
  tokenSchema,
  memberSchema,
  mailSchema,
  enquirySchema,
  webhookSchema,
  auditSchema,
  requestSchema,
  domainSchema,
  nodeSchema,
];

/** The newest version of each component's tables that this program can open. */
export const knownSchemas: ReadonlyMap<string, number> = new Map(
  schemas.map(({ component, migrations }) => [component, migrations.length]),
);

/** Returns the schemas at the versions that a database has. Fails if a newer program upgraded it, with which to do `fix`. */
export function schemasIn(versions: Versions, fix: string): readonly Schema[] {
  const components = Object.entries(versions).filter(
    ([component]) => !blobComponents.includes(component) && !component.endsWith(SINCE),
  );
  return knownSchemasAt(schemas, Object.fromEntries(components), {
    holder: "The database",
    fix: `A newer one upgraded it: ${fix} with that one.`,
  });
}

/** Ends the name of a row that says which versions of programs may open the tables. */
const SINCE = " since";

/**
 * Opens the stores of a database, which close it, and upgrades their tables. `node` is this process among those that
 * share the database. Rejects with `StoreUnavailable`, `UnsuitableDatabase` or `NewerSchema`.
 */
export async function openStorage(
  opened: Sql | PostgresSql,
  openBlobs: (sql: Sql) => Blobs,
  blobSchemas: readonly Schema[] = [],
  node?: NodeIdentity,
  /** The clock of this machine. */
  machine: Clock = machineClock,
): Promise<Storage> {
  const { sql, writes } = watchWrites(opened, systemClock);
  const counters = "counters" in opened ? opened.counters : undefined;
  try {
    // In one transaction: a failed upgrade leaves the database to the program that wrote it.
    await migrate(sql, [...schemas, ...blobSchemas], systemClock.now());
    const store = await sqlStore({ sql, clock: sql.clock ?? machine });
    const { clock } = store;
    const projectStore = await sqlProjectStore({ sql });
    const importStore = await sqlImportStore({ sql });
    const tokenStore = await sqlTokenStore({ sql });
    const memberStore = await sqlMemberStore({ sql });
    const mailStore = await sqlMailStore({ sql });
    const enquiryStore = await sqlEnquiryStore({ sql });
    const webhookStore = await sqlWebhookStore({ sql });
    const auditStore = await sqlAuditStore({ sql });
    const requestStore = await sqlRequestStore({ sql });
    const domainStore = await sqlDomainStore({ sql });
    await counters?.setUp();
    const blobs = node === undefined ? openBlobs(sql) : keptWhileClaimed(openBlobs(sql), sql);
    const nodes = node === undefined ? undefined : sqlNodes(sql, node);
    // A node that lost its connection is still in the list.
    const alone = sql.shared !== true && (await nodes?.others()) !== true;
    // Those of killed processes. This node, whose data directory is locked, holds none yet.
    if (alone) await endLeases(sql);
    else if (node !== undefined) await endLeases(sql, node.id);
    await nodes?.places.clear();
    const leases = sqlLeases({ sql, clock, holder: node?.id });
    const people = { tokenStore, memberStore, mailStore, enquiryStore };
    const kept = { webhookStore, auditStore, requestStore };
    const stores = {
      store,
      blobs,
      projectStore,
      importStore,
      ...people,
      ...kept,
      domainStore,
      counters,
    };
    const backups = node === undefined ? undefined : historyInSql(sql);
    return {
      ...stores,
      leases,
      nodes,
      backups,
      alone,
      writes,
      clock,
      close: () => store.close(),
    };
  } catch (error) {
    await sql.close();
    throw error;
  }
}

/** Wraps blobs so that none is deleted while any process reads an older state of the database. */
function keptWhileClaimed(blobs: Blobs, sql: Sql): Blobs {
  return {
    ...blobs,
    // The collector finds them again in its next round. Imported on demand: SQLite does not need it.
    delete: async (sha256, putBefore) => {
      const { isClaimed } = await import("../../adapters/postgres/claim.ts");
      if (!(await isClaimed(sql))) await blobs.delete(sha256, putBefore);
    },
  };
}
