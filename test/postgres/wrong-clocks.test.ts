import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Glob } from "bun";
import postgres from "postgres";

import { system } from "../../lib/model/actor.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { applyOutcome } from "../../domains/model/apply-outcome.ts";
import { adding, someDomain } from "../../testing/domains/rows.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { type Log, silentLog } from "../../lib/base/log.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { type DatabaseClock, databaseClock } from "../../lib/base/database-clock.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { composeService } from "../../server/compose.ts";
import { openStorage, schemas, type Storage } from "../../server/data/storage.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { transientParts } from "../../server/domain-parts.ts";
import { postgresOptions } from "../../server/data/database.ts";
import { createNode, type Node } from "../../server/nodes/nodes.ts";
import { machineClock } from "../../server/process/runtime.ts";
import { loadSettings } from "../../settings/load.ts";
import { must } from "../../settings/failure.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { api, type Api } from "../helpers/api.ts";
import { torture } from "../helpers/chance.ts";
import { manualClock, type ManualClock } from "../helpers/clock.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

// What a wrong clock of one machine does to the data that all processes share: nothing.

const START = Date.UTC(2026, 10, 23, 12);
const JUMPS = [-40 * DAY_MS, -2 * DAY_MS, 2 * DAY_MS, 40 * DAY_MS];
/** Longer than anything is kept. */
const LONG: number = 500 * DAY_MS;

/**
 * All periodic work. `purges` deletes what is over, in turn. `ends` also takes something away, and asks the clock first.
 * Everything else deletes nothing.
 */
const WORK: Readonly<Record<string, "purges" | "ends" | "keeps">> = {
  "comparing our clock with the CA's": "keeps",
  "reading the feed for domains": "keeps",
  "keeping routes of domains": "keeps",
  "looking at plans of domains": "keeps",
  "reviewing domains": "keeps",
  "looking after domains": "ends",
  "checking that certificates can be served": "keeps",
  "purging challenges": "purges",
  "creating accounts with other CAs": "keeps",
  "replacing accounts with CAs": "keeps",
  "reading the feed for hosts of projects": "keeps",
  "finding hosts without a certificate": "keeps",
  "securing our own hosts": "keeps",
  "reading the feed for maps of domains": "keeps",
  "looking through projects with domains": "keeps",
  "looking at domains that were verified": "keeps",
  "applying maps of domains": "keeps",
  "reading the feed": "keeps",
  "delivering events": "keeps",
  "writing counters": "keeps",
  "forgetting counters": "keeps",
  "saving the pause": "keeps",
  purging: "purges",
  "reading the feed for ${noun}": "keeps",
  "saving the last use of ${noun}": "keeps",
  "purging ${noun}": "purges",
  "reading the feed for projects": "keeps",
  "ending interrupted deploys": "ends",
  "purging projects": "purges",
  "sending mail": "keeps",
  "mails about events": "keeps",
  "purging mail": "purges",
  "releasing blobs": "purges",
  "collecting blobs": "purges",
  "counting certificates and looks of domains": "keeps",
  "tending the limits": "keeps",
  "saving the limits": "keeps",
  "purging enquiries": "purges",
  "queueing webhooks": "keeps",
  "delivering webhooks": "ends",
  "purging webhooks": "purges",
  "writing the audit log": "keeps",
  "shortening the audit log": "purges",
  "writing the request log": "keeps",
  "purging the request log": "purges",
  "working on imports": "keeps",
  "removing old imports": "purges",
  "keeping files from older nodes": "keeps",
  "reporting this node": "keeps",
  "the scheduled backup": "keeps",
};

/**
 * Tables whose rows belong to running processes, which the database's own clock judges, and the one with the time. Notices
 * are not moved, so they have no rows here.
 */
const OF_PROCESSES = new Set([
  ...["leases", "lease_fences", "nodes", "places", "settings", "overdue_notices"],
]);

/** Tables of the request log, which is not moved. */
const LEFT = ["request_log", "request_days"];

type Row = Readonly<Record<string, string | number | null>>;

/** Rows of each table that a purge deletes from: one at least may be deleted in three hours or later, and before `LONG`. */
const ROWS: Readonly<Record<string, Row | readonly Row[]>> = {
  accounts: { id: "acc_kept" },
  catalogues: { id: 1, account_id: "acc_kept", environment: "production" },
  departed_catalogues: { catalogue_id: 9, account_id: "acc_gone", events_before: 0 },
  pets: { catalogue_id: 9 },
  categories: { catalogue_id: 9 },
  orders: { catalogue_id: 9 },
  deleted_pets: { catalogue_id: 1, deleted_at: START },
  answers: { catalogue_id: 1, expires_at: START + DAY_MS },
  counters: { ends_at: START + DAY_MS },
  events: { occurred_at: START },
  feed: { written_at: START },
  api_keys: { account_id: "acc_kept", catalogue_id: 1, expires_at: START, revoked_at: START },
  usage_minutes: { account_id: "acc_kept", started_at: START },
  usage_days: { account_id: "acc_kept", started_at: START },
  projects: { id: "prj_gone", account_id: "acc_kept", slug: "gone", deleted_at: START },
  project_slugs: { project_id: "prj_gone", slug: "before", redirects_until: START + DAY_MS },
  deploys: { id: "dep_gone", project_id: "prj_gone", state: "live", touched_at: START },
  deploy_manifests: { deploy_id: "dep_gone" },
  deploy_blobs: { deploy_id: "dep_gone" },
  departed_deploys: { deploy_id: "dep_gone" },
  management_tokens: { account_id: "", expires_at: START, revoked_at: START },
  setup_links: { expires_at: START + DAY_MS },
  members: [
    { id: "mem_kept", email: "a@b.test", account_id: "" },
    { id: "mem_gone", email: "c@d.test", account_id: "acc_gone" },
  ],
  member_sessions: { member_id: "mem_kept", expires_at: START + DAY_MS, last_seen_at: START },
  member_passkeys: { member_id: "mem_gone" },
  member_reset_links: { member_id: "mem_kept", expires_at: START + DAY_MS },
  member_challenges: { expires_at: START + 3 * HOUR_MS },
  profiles: { catalogue_id: 9 },
  photos: { catalogue_id: 9 },
  adoptions: [{ catalogue_id: 1, saved_at: START }, { catalogue_id: 9 }],
  enquiries: { catalogue_id: 1, created_at: START },
  webhooks: [
    { id: "wh_kept", account_id: "", disabled_at: START, disabled_reason: "manual" },
    { id: "wh_gone", account_id: "acc_gone", disabled_at: START, disabled_reason: "manual" },
  ],
  webhook_deliveries: { webhook_id: "wh_kept", state: "failed", ended_at: START },
  audit_log: [
    { seq: 1, at: START },
    { seq: 2, at: START },
  ],
  // It has all events already, so they can be purged.
  audit_chain: { id: 1, seq: 2, event_seq: 1_000_000 },
  imports: { account_id: "acc_kept", catalogue_id: 1, state: "finished", touched_at: START },
  mail_queue: { account_id: "", expires_at: START, ended_at: START },
  domain_certificates: { domain_id: "dom_000000000002", not_after: START },
  domain_reports: { domain_id: "dom_000000000002" },
  domain_challenges: { expires_at: START + 3 * HOUR_MS },
  replaced_accounts: { replaced_at: START },
};

/** What is purged whatever the time is: rows of deleted accounts and deploys. */
const TIMELESS = [
  "departed_catalogues",
  "categories",
  "pets",
  "orders",
  "profiles",
  "photos",
  "adoptions",
  "deploy_blobs",
  "departed_deploys",
  "members",
  "member_passkeys",
  "webhooks",
];

interface TestInstallation {
  readonly storage: Storage;
  readonly node: Node;
  readonly tick: () => Promise<void>;
  readonly counts: () => Promise<Readonly<Record<string, number>>>;
  /** The tables that statements of `tick` delete from. */
  readonly deleted: Set<string>;
  readonly service: Awaited<ReturnType<typeof serviceOf>>;
  readonly close: () => Promise<void>;
}

async function serviceOf(storage: Storage, node: Node, log: Log) {
  const loaded = await loadSettings({ flags: {}, environment: {} });
  const runtime = { clock: storage.clock, version: "1.2.3" };
  return composeService(storage, {
    loaded,
    directory: dataDirectory("unused"),
    runtime,
    encryptionKey: new Uint8Array(32),
    domainParts: await transientParts(loaded.settings, runtime),
    log,
    node,
  });
}

async function open(
  connected: Sql,
  machine: ManualClock,
  { name, log = silentLog }: { readonly name?: string; readonly log?: Log } = {},
): Promise<TestInstallation> {
  const deleted = new Set<string>();
  const sql: Sql = {
    ...connected,
    batch: (steps, accept, lane) =>
      connected.batch(
        () => {
          const made = typeof steps === "function" ? steps() : steps;
          for (const { text } of made) {
            const [, table] = /^DELETE FROM (\w+)/.exec(text) ?? [];
            if (table !== undefined) deleted.add(table);
          }
          return made;
        },
        accept,
        lane,
      ),
  };
  const identity = { id: name ?? "alone", name: name ?? "alone" };
  const storage = await openStorage(
    sql,
    () => memoryBlobs(),
    [],
    name === undefined ? undefined : identity,
    machine,
  );
  const node = createNode({
    nodes: storage.nodes,
    identity,
    version: "1.2.3",
    addresses: [],
    confirmedAt: () => undefined,
    limits: () => ({ limitsIn: "memory", redis: "off" }),
    claimFiles: async () => undefined,
    time: storage.clock,
    log,
  });
  const service = await serviceOf(storage, node, log);
  const { production, staging } = service.petstores;
  const {
    publishing,
    management,
    members,
    mail,
    enquiries,
    audit,
    imports,
    domains,
    webhooks,
    requests,
  } = service;
  const tables = await tablesOf(schemas, "move");
  const parts = [
    production,
    staging,
    publishing,
    management,
    members,
    mail,
    enquiries,
    webhooks,
    audit,
    requests,
    imports,
    domains,
  ];
  return {
    storage,
    node,
    service,
    deleted,
    tick: async () => {
      await node.jobs.tick();
      for (const { jobs } of parts) await jobs.tick();
    },
    counts: async () => {
      const counted: Record<string, number> = {};
      for (const table of [...tables.map(({ name: carried }) => carried), ...LEFT]) {
        if (OF_PROCESSES.has(table)) continue;
        const [row] = await sql.query({ text: `SELECT COUNT(*) AS n FROM ${table}`, values: [] });
        counted[table] = Number(row?.["n"]);
      }
      return counted;
    },
    close: async () => {
      await service.close();
      await storage.close();
    },
  };
}

/** Adds the rows, a domain that waits for its records, and a removed one. */
async function fill(sql: Sql, { domainStore, requestStore }: Storage): Promise<void> {
  for (const { name, columns: all, numbered } of await tablesOf(schemas, "move")) {
    for (const row of [ROWS[name] ?? []].flat()) {
      const columns = all.filter((column) => column.name !== numbered || column.name in row);
      const values = columns.map(({ name: column, type, nullable }) => {
        const given = row[column];
        if (given !== undefined) return given;
        if (nullable) return null;
        if (type === "integer") return 1;
        return column.endsWith("id") ? `${name}_1` : "{}";
      });
      const places = columns.map(() => "?").join(", ");
      const names = columns.map((column) => column.name).join(", ");
      const text = `INSERT INTO ${name} (${names}) VALUES (${places})`;
      await sql.batch([{ text, values }], () => true);
    }
  }
  await requestStore.add({
    rows: [
      {
        ...{ accountId: "acc_kept", at: START, rowId: "0000000001", requestId: "request-1" },
        ...{ environment: "production", method: "GET", operation: "listPets", path: "/pets" },
        ...{ query: "", status: 200, durationMs: 1, cost: 1, windows: [], represents: 1 },
      },
    ],
    days: [{ accountId: "acc_kept", at: START, answered: 1, logged: 1 }],
  });
  const waiting = someDomain(1, { projectId: "prj_none" }, START);
  const removed = someDomain(2, { projectId: "prj_none" }, START);
  for (const domain of [waiting, removed])
    expect((await domainStore.commit([adding(domain)], system)).ok).toBe(true);
  const from = (await domainStore.domains.byId(removed.id)) ?? removed;
  const { domain: to, news } = applyOutcome(from, { kind: "removed", reason: "removed" }, START);
  const saved = await domainStore.commit(
    [{ kind: "domain.save", from, to, news, at: START }],
    system,
  );
  expect(saved.ok).toBe(true);
}

/** Rows are added by periodic work too, such as events; what matters is that none disappears. */
function lost(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0));
}

test("every periodic job is in the list", async () => {
  const found = new Set<string>();
  for await (const path of new Glob("{lib,domains,server,adapters,backup,cli}/**/*.ts").scan()) {
    const text = await Bun.file(path).text();
    if (!/create(?:Sending)?Rounds/.test(text)) continue;
    for (const [, , what, turn] of text.matchAll(
      /what: (["`])(.+?)\1((?:(?!what:)[^])*?inTurn: true)?/g,
    )) {
      if (what === undefined) continue;
      found.add(what);
      // Nodes also share the work on mails, by turns that no wrong clock withholds.
      if (turn === undefined || what === "mails about events") continue;
      expect([what, WORK[what]]).toEqual([what, "purges"]);
    }
  }
  expect([...found].toSorted()).toEqual(Object.keys(WORK).toSorted());
});

describe("SQLite", () => {
  const opened = async (path = ":memory:", machine = manualClock(START), log = silentLog) => {
    const sql = await bunSqliteSql({ path, copyBeforeUpgrade: false });
    const one = await open(sql, machine, { log });
    return { ...one, sql, machine };
  };

  test.each(JUMPS)("a jump of %p ms deletes nothing, there and back", async (jump) => {
    const { machine, counts, tick, sql, storage, close } = await opened();
    await fill(sql, storage);
    await tick();
    const before = await counts();
    machine.set(START + jump);
    await tick();
    machine.advance(HOUR_MS);
    await tick();
    expect(lost(before, await counts())).toEqual([]);
    machine.set(START + 2 * HOUR_MS);
    await tick();
    expect(lost(before, await counts())).toEqual([]);
    await close();
  });

  test("time that passes deletes from every table that periodic work deletes from", async () => {
    const { machine, counts, tick, sql, storage, deleted, close } = await opened();
    await fill(sql, storage);
    const before = await counts();
    await tick();
    machine.advance(LONG);
    // Projects are purged after their deploys, and accounts of processes that hold copies after those.
    for (let round = 0; round < 3; round++) {
      await tick();
      machine.advance(HOUR_MS);
    }
    const emptied = lost(before, await counts());
    expect(emptied.toSorted()).toEqual(
      [...deleted].filter((name) => !OF_PROCESSES.has(name)).toSorted(),
    );
    expect(Object.keys(ROWS).filter((name) => !deleted.has(name))).toEqual([
      "accounts",
      "catalogues",
      "audit_chain",
    ]);
    await close();
  });

  test("a jump that stays is believed after a day of running time", async () => {
    const lines: string[] = [];
    const log: Log = {
      ...silentLog,
      warn: (line) => lines.push(line),
      info: (line) => {
        if (line.includes("clock")) lines.push(line);
      },
    };
    const { machine, counts, tick, sql, storage, close } = await opened(":memory:", undefined, log);
    await fill(sql, storage);
    await tick();
    const before = await counts();
    machine.set(START + 40 * DAY_MS);
    await tick();
    expect(lines).toEqual(["the clock jumped: nothing is purged until it has run for a day"]);
    machine.advance(DAY_MS - MINUTE_MS);
    await tick();
    expect(lost(before, await counts())).toEqual([]);
    machine.advance(HOUR_MS);
    await tick();
    machine.advance(HOUR_MS);
    await tick();
    expect(lost(before, await counts())).toContain("events");
    expect(lines.slice(1)).toEqual(["the clock is trusted again: expired data is purged"]);
    await close();
  });

  test("an installation that was off for a week purges after a day of running time, restarts included", async () => {
    const directory = await mkdtemp(join(tmpdir(), "wrong-clocks-"));
    const path = join(directory, "petstore.db");
    const machine = manualClock(START);
    const first = await opened(path, machine);
    await fill(first.sql, first.storage);
    await first.tick();
    const before = await first.counts();
    await first.close();

    machine.set(START + 40 * DAY_MS);
    for (let ran = 0; ran < DAY_MS; ran += 8 * HOUR_MS) {
      const again = await opened(path, machine);
      for (let hours = 0; hours < 8; hours += 4) {
        await again.tick();
        expect([ran, hours, lost(before, await again.counts())]).toEqual([ran, hours, []]);
        machine.advance(4 * HOUR_MS);
      }
      await again.tick();
      await again.close();
      // Not running for a night is no jump.
      machine.set(machine.now() + 8 * HOUR_MS);
    }
    const last = await opened(path, machine);
    await last.tick();
    machine.advance(HOUR_MS);
    await last.tick();
    expect(lost(before, await last.counts())).toContain("events");
    await last.close();
    await rm(directory, { recursive: true });
  });
});

describe("nodes on PostgreSQL", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  /** Opens two nodes: the machine of the second one is wrong. Both read the same clock of the database. */
  const nodes = async (wrongMs: number) => {
    const url = await server.createDatabase();
    const database = manualClock(START);
    const openNode = async (name: string, machine: ManualClock, lines: string[] = []) => {
      const sql = await postgresSql({ url, connect: postgres, connections: 4 });
      const read = await databaseClock({ machine, ask: async () => database.now() });
      const { now, sleep, steady, compare } = read;
      const clock: DatabaseClock = {
        ...{ now, sleep, steady, compare },
        get aheadMs() {
          return read.aheadMs;
        },
        // The reports of nodes read the real one.
        learn: () => undefined,
      };
      const log: Log = { ...silentLog, warn: (line) => lines.push(line) };
      return { ...(await open({ ...sql, clock }, machine, { name, log })), sql, machine, lines };
    };
    const right = await openNode("right", manualClock(START));
    const wrong = await openNode("wrong", manualClock(START + wrongMs));
    return {
      right,
      wrong,
      advance: (ms: number) => {
        for (const clock of [database, right.machine, wrong.machine]) clock.advance(ms);
      },
      [Symbol.asyncDispose]: async () => {
        await wrong.close();
        await right.close();
      },
    };
  };

  test.each(torture ? JUMPS : [-40 * DAY_MS, 2 * DAY_MS])(
    "a clock that is wrong by %p ms deletes nothing",
    async (wrongMs) => {
      await using both = await nodes(wrongMs);
      const { right, wrong, advance } = both;
      // Otherwise the other one finds itself alone, and does the work of domains.
      await right.node.jobs.tick();
      await fill(right.sql, right.storage);
      const before = await right.counts();
      for (let round = 0; round < 3; round++) {
        await wrong.tick();
        await right.tick();
        // Other work is due after this time, but nothing expires in it.
        advance(40 * MINUTE_MS);
      }
      expect(lost(before, await right.counts()).toSorted()).toEqual(TIMELESS.toSorted());
      expect([...wrong.deleted].filter((table) => !OF_PROCESSES.has(table))).toEqual([]);
      expect(wrong.lines).toEqual([
        "the clock of this machine differs from the database's: this process purges nothing and leaves shared work to others",
      ]);
      expect([wrong.node.leavesWork, right.node.leavesWork]).toEqual([true, false]);
      const [first, second] = await right.node.list();
      expect([first?.clockAheadMs, second?.clockAheadMs]).toEqual([0, wrongMs]);
    },
  );

  test("the time is right at once after a machine slept, if its clock counts that", async () => {
    const url = await server.createDatabase();
    const { machine } = await postgresOptions(
      {
        databaseUrl: url,
        databaseCaFile: undefined,
        databaseSchema: undefined,
        databasePoolSize: 4,
      },
      url,
    );
    expect(machine).toBe(machineClock);
    const asleep = manualClock(START);
    const sql = await postgresSql({ url, connect: postgres, connections: 2, machine: asleep });
    const before = sql.clock?.now() ?? 0;
    asleep.advance(8 * HOUR_MS);
    expect(sql.clock?.now()).toBe(before + 8 * HOUR_MS);
    await sql.close();
  });

  /** Everything that ends at an instant: returns whether it still works on a node. */
  const EXPIRIES: Readonly<
    Record<string, (on: Serving) => Promise<(on: Serving) => Promise<boolean>>>
  > = {
    "a stored answer": async ({ service }) => {
      const key = await newKey(service);
      const extra = { headers: { "idempotency-key": crypto.randomUUID() } };
      const pet = { name: "Rex", categoryId: 1 };
      const ask = (on: Serving) =>
        publicApi(on, key).post<{ readonly id: number }>("/v1/pets", pet, extra);
      const { body } = await ask({ service });
      return async (on) => (await ask(on)).body.id === body.id;
    },
    "an API key": async ({ service }) => {
      const key = await newKey(service, HOUR_MS);
      return async (on) => (await publicApi(on, key).get("/v1/pets")).status === 200;
    },
    "a deleted animal": async ({ service }) => {
      const { id: accountId } = await newAccount(service);
      const { client } = service.petstores.production;
      const { id: petId } = must(
        await client.pets.create({ accountId, name: "Rex", categoryId: 1 }),
      );
      must(await client.pets.delete({ accountId, petId }));
      return async (on) => {
        const { pets } = on.service.petstores.production.client;
        const { ok } = await pets.restore({ accountId, petId });
        if (ok) must(await pets.delete({ accountId, petId }));
        return ok;
      };
    },
    "a deleted project": async ({ service }) => {
      const { id: account } = await newAccount(service);
      const body = { name: crypto.randomUUID() };
      const { id: project } = must(
        await service.client.call("POST /accounts/:account/projects", { account, body }),
      );
      must(await service.client.call("DELETE /projects/:project", { project }));
      return async (on) => {
        const { client } = on.service;
        const { ok } = await client.call("POST /projects/:project/restore", { project });
        if (ok) must(await client.call("DELETE /projects/:project", { project }));
        return ok;
      };
    },
    "a token": async ({ service }) => {
      const body = { name: "import", role: "operator", expiresInMs: HOUR_MS } as const;
      const { token } = must(await service.client.call("POST /tokens", { body }));
      return async (on) => (await managementApi(on, token).get("/tokens")).status === 200;
    },
    "a setup link": async ({ service }) => {
      const link = await service.management.setupLink();
      const token = link?.url.split("#")[1] ?? "";
      return async (on) => {
        const asked = await managementApi(on).post("/setup/check", { token });
        return asked.status === 200;
      };
    },
  };

  test.each(torture ? JUMPS : [-2 * DAY_MS, 40 * DAY_MS])(
    "everything ends at its time on a node that is wrong by %p ms, and on the other",
    async (wrongMs) => {
      await using both = await nodes(wrongMs);
      const { right, wrong, advance } = both;
      for (const [here, there] of [
        [right, wrong],
        [wrong, right],
      ] as const) {
        const begun = await Promise.all(
          Object.entries(EXPIRIES).map(async ([name, begin]) => [name, await begin(here)] as const),
        );
        const working = async (on: Serving) => {
          const names: string[] = [];
          for (const [name, works] of begun) if (await works(on)) names.push(name);
          return names;
        };
        await here.tick();
        await there.tick();
        const all = Object.keys(EXPIRIES);
        expect([await working(there), await working(here)]).toEqual([all, all]);
        advance(3 * DAY_MS);
        expect([await working(there), await working(here)]).toEqual([[], []]);
      }
    },
  );
});

type Serving = Pick<TestInstallation, "service">;

const newAccount = async ({ petstores: { production } }: TestInstallation["service"]) =>
  must(await production.client.accounts.create({ name: "Happy Tails", plan: "pro" }));

async function newKey(service: TestInstallation["service"], expiresInMs?: number): Promise<string> {
  const { id: accountId } = await newAccount(service);
  const more = expiresInMs === undefined ? {} : { expiresInMs };
  return must(await service.petstores.production.client.keys.create({ accountId, ...more })).token;
}

const publicApi = ({ service }: Serving, key: string): Api =>
  api({ fetch: (request) => service.petstores.production.fetch(request), key });

const managementApi = ({ service }: Serving, key?: string): Api =>
  api({
    fetch: (request) => service.management.fetch(request),
    base: "http://petstore.test/manage/v1",
    key,
  });
