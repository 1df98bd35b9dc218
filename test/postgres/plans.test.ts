import { expect, test } from "bun:test";

import postgres from "postgres";

import { postgresSql } from "../../adapters/postgres/sql.ts";
import { DAY_MS, HOUR_MS } from "../../lib/base/clock.ts";
import { databaseClock } from "../../lib/base/database-clock.ts";
import { silentLog } from "../../lib/base/log.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { composeService } from "../../server/compose.ts";
import { openStorage, schemas } from "../../server/data/storage.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { transientParts } from "../../server/domain-parts.ts";
import { must } from "../../settings/failure.ts";
import { loadSettings } from "../../settings/load.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { torture } from "../helpers/chance.ts";
import { manualClock } from "../helpers/clock.ts";
import { startPostgres } from "../helpers/postgres.ts";

const START = Date.UTC(2026, 10, 23, 12);

/** The server logs the plan of each statement with what it really did, also within functions. */
const EXPLAIN = [
  "session_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=0",
  "auto_explain.log_analyze=on",
  "auto_explain.log_timing=off",
  "auto_explain.log_nested_statements=on",
  "auto_explain.log_format=json",
  "log_line_prefix=@@ ",
  // Statistics would appear at any moment.
  "autovacuum=off",
  "max_wal_size=4GB",
  // As many set it for SSDs. With few rows, the planner finds an index worth it as with four times as many.
  ...(torture ? [] : ["random_page_cost=1"]),
];

/** Rows of a large table, and how many a periodic statement may look at: a slice of a purge, and some. */
const MANY = torture ? 1_000_000 : 12_000;
const FEW = 5_000;

/**
 * Values of columns, as SQL over the number of the row. All rows belong to what is still there, but profiles, photos and
 * adopters, which are removed as those of purged animals.
 */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accounts: { id: "'acc_' || i" },
  catalogues: { account_id: "'acc_' || i", environment: "'production'" },
  api_keys: {
    account_id: "'acc_' || i",
    expires_at: String(START + 300 * DAY_MS),
    revoked_at: "NULL",
  },
  pets: { catalogue_id: "1 + i % 1000" },
  deleted_pets: { deleted_at: String(START) },
  answers: { expires_at: String(START + DAY_MS) },
  counters: { ends_at: String(START + DAY_MS) },
  events: { occurred_at: String(START), account_id: "'acc_' || (1 + i % 1000)" },
  feed: { written_at: String(START) },
  usage_minutes: { started_at: String(START), account_id: "'acc_' || i" },
  usage_days: { started_at: String(START), account_id: "'acc_' || i" },
  projects: { account_id: "'acc_' || i", deleted_at: "NULL" },
  project_slugs: { redirects_until: "NULL" },
  deploys: { state: "'live'", touched_at: String(START) },
  management_tokens: {
    account_id: "'acc_' || i",
    expires_at: String(START + 300 * DAY_MS),
    revoked_at: "NULL",
  },
  members: { account_id: "'acc_' || i" },
  member_sessions: {
    member_id: "'x' || i",
    expires_at: String(START + 20 * DAY_MS),
    last_seen_at: String(START),
  },
  member_passkeys: { member_id: "'x' || i" },
  member_reset_links: { member_id: "'x' || i", expires_at: String(START + DAY_MS) },
  mail_queue: {
    account_id: "'acc_' || i",
    sealed: "NULL",
    next_at: "NULL",
    ended_at: String(START),
  },
  imports: { state: "'finished'", catalogue_id: "i", touched_at: String(START) },
  enquiries: { catalogue_id: "1 + i % 1000", created_at: String(START) },
  enquiry_boxes: { catalogue_id: "i" },
  webhooks: {
    account_id: "'acc_' || i",
    disabled_at: "CASE WHEN i % 100 = 0 THEN NULL ELSE 1 END",
    after_seq: "0",
  },
  webhook_deliveries: {
    webhook_id: "'x' || (1 + i % 100)",
    state: "'delivered'",
    next_at: "NULL",
    ended_at: String(START),
  },
  audit_log: { at: String(START) },
  domain_challenges: { expires_at: String(START + DAY_MS) },
  domain_certificates: { created_at: String(START) },
};

/** Tables that stay small, or whose rows a generator cannot make; `query-plan.test.ts` looks at those of domains. */
const SMALL = new Set([
  ...["departed_catalogues", "departed_deploys", "settings", "setup_links", "member_challenges"],
  ...["domains", "domain_holders", "domain_targets", "domain_accounts", "domain_orders"],
  ...["domain_reports", "domain_timeline", "authority_accounts", "replaced_accounts"],
  ...["authority_pauses", "blocked_keys", "successor_accounts", "overdue_notices", "audit_chain"],
]);

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly Plan[];
}

interface Explained {
  readonly "Query Text": string;
  readonly Plan: Plan;
}

const parts = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(parts)];

/** How many rows a node looked at. */
const looked = (plan: Plan): number =>
  plan["Actual Loops"] * (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0));

/** Statements that read a whole table, or more rows than a slice. */
function costly(plans: readonly Explained[], large: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const { "Query Text": text, Plan: plan } of plans) {
    for (const node of parts(plan)) {
      const table = node["Relation Name"] ?? "";
      const whole = node["Node Type"] === "Seq Scan" && large.has(table);
      if (!whole && looked(node) <= FEW) continue;
      const what = `${node["Node Type"]} ${table}, ${looked(node)} rows`;
      found.add(`${what}: ${text.replaceAll(/\s+/g, " ")}`);
    }
  }
  return [...found];
}

test(
  "periodic work reads no large table from end to end, with and without statistics",
  async () => {
    await using server = await startPostgres({ settings: EXPLAIN });
    const url = await server.createDatabase();
    const database = new URL(url).pathname.slice(1);
    const machine = manualClock(START);
    const connected = await postgresSql({ url, connect: postgres, connections: 4 });
    const clock = await databaseClock({ machine, ask: async () => machine.now() });
    const sql = { ...connected, clock };
    const identity = { id: "node", name: "node" };
    const storage = await openStorage(sql, () => memoryBlobs(), [], identity, machine);
    const large = new Set<string>();
    for (const { name, columns, numbered } of await tablesOf(schemas, "move")) {
      if (SMALL.has(name)) continue;
      const filled = columns.filter((column) => column.name !== numbered);
      const values = filled.map((column) => {
        const given = VALUES[name]?.[column.name];
        if (given !== undefined) return given;
        if (column.nullable) return "NULL";
        return column.type === "integer" ? "i" : "'x' || i";
      });
      await server.run(
        `SET auto_explain.log_min_duration = -1;
        INSERT INTO ${name} (${filled.map((column) => column.name).join(", ")})
        SELECT ${values.join(", ")} FROM generate_series(1, ${MANY}) AS i`,
        database,
      );
      large.add(name);
    }

    await server.run(
      `INSERT INTO audit_chain (id, seq, event_seq, hash, checkpoint_seq, checkpoint_hash)
      VALUES (1, ${MANY}, ${MANY}, 'x', 0, 'x')`,
      database,
    );

    const loaded = await loadSettings({ flags: {}, environment: {} });
    const runtime = { clock: storage.clock, version: "1.2.3" };
    const service = composeService(storage, {
      loaded,
      directory: dataDirectory("unused"),
      runtime,
      encryptionKey: new Uint8Array(32),
      domainParts: await transientParts(loaded.settings, runtime),
      log: silentLog,
    });
    const {
      petstores,
      publishing,
      management,
      members,
      mail,
      imports,
      enquiries,
      domains,
      webhooks,
      requests,
    } = service;
    const working = [
      ...[petstores.production, publishing, management, members],
      ...[mail, imports, enquiries, service.audit, domains, webhooks, requests],
    ];
    const log = (): Promise<string> => Bun.file(`${server.socket}/log`).text();
    /** Runs all work often enough for plans that serve any values, and returns what was read. */
    const plans = async (): Promise<readonly Explained[]> => {
      const from = (await log()).length;
      for (let round = 0; round < 6; round++) {
        await server.run("DELETE FROM leases", database);
        machine.advance(HOUR_MS);
        for (const { jobs } of working) await jobs.tick();
      }
      const lines = (await log()).slice(from).split("@@ ");
      return lines.flatMap((entry) => {
        const [, json] = /plan:\s*(\{[^]*\})\s*$/.exec(entry) ?? [];
        return json === undefined ? [] : [JSON.parse(json) as Explained];
      });
    };
    // The first round of some work reads everything: routes of domains, and what other versions left.
    for (const { jobs } of working) await jobs.tick();
    const without = await plans();
    const purges = without.filter(({ "Query Text": text }) => text.includes("DELETE FROM events"));
    expect(purges.length).toBeGreaterThan(4);
    expect(costly(without, large)).toEqual([]);
    await server.run("ANALYZE", database);
    expect(costly(await plans(), large)).toEqual([]);
    // One account has left.
    must(await petstores.production.client.accounts.delete("acc_7"));
    expect(costly(await plans(), large)).toEqual([]);
    expect(await server.run("SELECT 1 FROM departed_catalogues", database)).toEqual([]);
    expect(await server.run("SELECT 1 FROM pets WHERE catalogue_id = 7", database)).toEqual([]);
    await service.close();
    await storage.close();
  },
  torture ? 1_800_000 : 600_000,
);
