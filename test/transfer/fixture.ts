import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { directoryBlobs } from "../../adapters/files/blobs.ts";
import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import { systemClock } from "../../lib/index.ts";
import { local } from "../../lib/management/index.ts";
import { silentLog } from "../../lib/base/log.ts";
import { composeService, type Service } from "../../server/compose.ts";
import { openStorage, schemas, type Storage } from "../../server/data/storage.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { sqliteIn } from "../../server/data/database.ts";
import { transientParts } from "../../server/domain-parts.ts";
import { installationKey } from "../../server/data/encryption-key.ts";
import {
  exportInstallation,
  importInstallation,
  type ImportOptions,
} from "../../server/data/transfer.ts";
import { tablesOf, type Column, type Table, type Transfer } from "../../transfer/tables.ts";
import { loadSettings } from "../../settings/load.ts";
import { emptyWith, filesIn } from "../backup/fixture.ts";
import { scratch } from "../cli/installation.ts";
import { api, type Api } from "../helpers/api.ts";
import type { Chance } from "../helpers/chance.ts";
import { pngOf } from "../helpers/pictures.ts";

/** The key of the installations here. */
export const KEY: Uint8Array = new Uint8Array(32).fill(7);

const runtime = { clock: systemClock, version: "1.2.3" };

/** A service on a data directory, without a server or background jobs. */
export interface Opened {
  readonly service: Service;
  /** The management API, with all permissions. */
  readonly manage: Api;
  readonly production: (key: string) => Api;
  close(): Promise<void>;
}

async function openIn({ database, blobs }: DataDirectory): Promise<Storage> {
  return openStorage(await bunSqliteSql({ path: database }), () => directoryBlobs({ path: blobs }));
}

export async function open(directory: DataDirectory): Promise<Opened> {
  const loaded = await loadSettings({ flags: {}, environment: {} });
  const storage = await openIn(directory);
  await installationKey({ store: storage.store, path: directory.encryptionKey, given: KEY });
  const service = composeService(storage, {
    loaded,
    directory,
    runtime,
    encryptionKey: KEY,
    domainParts: await transientParts(loaded.settings, runtime),
    log: silentLog,
  });
  const { management, petstores } = service;
  return {
    service,
    manage: api({
      fetch: (request) => management.fetch(request, { principal: local }),
      base: "http://petstore.test/manage/v1",
    }),
    production: (key) => api({ fetch: (request) => petstores.production.fetch(request), key }),
    close: async () => {
      await service.close();
      await storage.close();
    },
  };
}

/** A new data directory that only has the key. */
export function empty(): Promise<DataDirectory> {
  return emptyWith(KEY);
}

/** What a random history leaves that a test needs. */
export interface History {
  /** Keys of Production that work. */
  readonly keys: readonly string[];
  readonly accounts: readonly string[];
  readonly projects: readonly string[];
}

const NAMES = ["Bello", "Zoë 🦔", 'a "quoted" name', "Ünal\\nn", "Rex"] as const;
const picture = async (width: number) => Uint8Array.from(await pngOf({ width, height: 3 }));
const PICTURES = [await picture(4), await picture(5)] as const;
const STATUSES = ["available", "pending", "sold"] as const;

/** Does random things of every kind in an installation, and returns what it made. */
export async function live({ manage, production }: Opened, random: Chance): Promise<History> {
  const accounts: string[] = [];
  const keys: string[] = [];
  const projects: string[] = [];
  const created = async (path: string, body: object): Promise<Record<string, string>> =>
    (await manage.post<Record<string, string>>(path, body)).body;
  const account = async (): Promise<string> => {
    const { id = "" } = await created("/accounts", { name: random.pick(NAMES), plan: "business" });
    const key = await created(`/accounts/${id}/keys`, { name: "website" });
    const project = await created(`/accounts/${id}/projects`, { name: "Site" });
    await created(`/accounts/${id}/members`, { email: `${id}@example.org`, role: "staff" });
    await created(`/accounts/${id}/tokens`, { name: "import", role: "staff" });
    accounts.push(id);
    keys.push(key["key"] ?? "");
    projects.push(project["slug"] ?? "");
    return id;
  };
  await account();
  await created("/members", { email: "ursula@example.org", name: "Ursula" });
  const deeds: readonly [number, () => Promise<unknown>][] = [
    [1, account],
    [1, async () => manage.delete(`/accounts/${await throwaway(created)}`)],
    [
      2,
      () =>
        manage.post(`/accounts/${one(accounts)}/keys`, { name: "spare", environment: "staging" }),
    ],
    [2, async () => revokeOne(one(accounts))],
    [1, () => manage.post(`/projects/${one(projects)}/deploys`, { source: "starter" })],
    [1, () => manage.patch(`/projects/${one(projects)}`, { name: random.pick(NAMES) })],
    [4, () => manage.post(`${catalogue()}/categories`, { name: `Category ${random.next()}` })],
    [2, () => manage.delete(`${catalogue()}/categories/${random.between(1, 6)}`)],
    [20, () => manage.post(`${catalogue()}/pets`, pet())],
    [
      10,
      () =>
        manage.patch(`${catalogue()}/pets/${random.between(1, 20)}`, {
          status: random.pick(STATUSES),
        }),
    ],
    [
      8,
      () =>
        manage.patch(`${catalogue()}/pets/${random.between(1, 20)}/profile`, {
          breed: { text: random.pick(NAMES), mixed: random.pick([true, false]) },
          staffNotes: random.pick(NAMES),
          externalId: `A${random.between(1, 9)}`,
        }),
    ],
    [
      3,
      () =>
        manage.raw("POST", `${catalogue()}/pets/${random.between(1, 20)}/photos`, {
          body: random.pick(PICTURES),
          headers: { "content-type": "image/png" },
        }),
    ],
    [6, () => manage.delete(`${catalogue()}/pets/${random.between(1, 20)}`)],
    [3, () => manage.post(`${catalogue()}/pets/${random.between(1, 20)}/restore`)],
    [8, () => production(one(keys)).post("/v1/pets", pet(), { headers: idempotent() })],
    [6, () => production(one(keys)).get("/v1/pets")],
  ];
  function one(items: readonly string[]): string {
    return items[random.between(0, items.length - 1)] ?? "";
  }
  function catalogue(): string {
    return `/accounts/${one(accounts)}/${random.pick(["production", "staging"])}`;
  }
  function pet(): object {
    return {
      name: random.pick(NAMES),
      categoryId: random.between(1, 3),
      status: random.pick(STATUSES),
    };
  }
  function idempotent(): Record<string, string> {
    return { "idempotency-key": `retry-${random.between(1, 30)}` };
  }
  const revokeOne = async (id: string): Promise<void> => {
    const spare = await created(`/accounts/${id}/keys`, { name: "old" });
    await manage.delete(`/accounts/${id}/keys/${spare["id"] ?? ""}`);
  };
  const weight = deeds.reduce((sum, [share]) => sum + share, 0);
  for (let deed = 0; deed < 250; deed++) {
    let at = random.between(1, weight);
    await deeds.find(([share]) => (at -= share) <= 0)?.[1]();
  }
  // The file of a starter contains the name of its project: these have two files.
  for (const name of ["Site", "Second site"]) {
    await manage.patch(`/projects/${projects[0] ?? ""}`, { name });
    await manage.post(`/projects/${projects[0] ?? ""}/deploys`, { source: "starter" });
  }
  return { keys, accounts, projects };
}

async function throwaway(
  created: (path: string, body: object) => Promise<Record<string, string>>,
): Promise<string> {
  return (await created("/accounts", { name: "Gone" }))["id"] ?? "";
}

/** Exports without a server into a new directory; returns its path. */
export async function exported(directory: DataDirectory): Promise<string> {
  const to = join(await scratch(), "export");
  await exportInstallation({
    ...sqliteIn(directory),
    blobs: { kind: "directory", path: directory.blobs },
    to,
    kept: undefined,
    serving: false,
    version: "1.2.3",
    clock: systemClock,
    onProgress: () => {},
  });
  return to;
}

/** What an import is asked for. */
export function importing(from: string, directory: DataDirectory): ImportOptions {
  return {
    from,
    ...sqliteIn(directory),
    blobs: { kind: "directory", path: directory.blobs },
    encryptionKey: undefined,
    clock: systemClock,
    onProgress: () => {},
  };
}

/** Imports into a new data directory. */
export async function imported(from: string): Promise<DataDirectory> {
  const directory = await empty();
  await importInstallation(importing(from, directory));
  return directory;
}

/** The files of an export by name, except the instant in the manifest. */
export async function contentsOf(path: string): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>();
  for (const name of await filesIn(path)) {
    const text = await readFile(join(path, name), "latin1");
    contents.set(name, text.replace(/"exportedAt": "[^"]+"/, ""));
  }
  return contents;
}

/** An installation with eight random rows in each table that a transfer carries. */
export async function filled(
  random: Chance,
  transfer: Transfer = "export",
): Promise<DataDirectory> {
  const directory = await empty();
  const storage = await openIn(directory);
  await installationKey({ store: storage.store, path: directory.encryptionKey, given: KEY });
  await storage.close();
  const sql = await bunSqliteSql({ path: directory.database });
  for (const table of await tablesOf(schemas, transfer)) await fill(sql, table, random);
  await sql.close();
  return directory;
}

const TEXTS = ["", "Zoë 🦔", '"quoted"\\', "two\nlines\r\n", "\u2028\u0000\u0001", "{}"] as const;

/** Adds eight rows with random values. */
async function fill(sql: Sql, { name, columns }: Table, random: Chance): Promise<void> {
  const references = await sql.query({
    text: `SELECT "from" AS own, "table" AS other, "to" AS theirs FROM pragma_foreign_key_list(?)`,
    values: [name],
  });
  const chosen = new Map<string, readonly SqlValue[]>();
  for (const { own, other, theirs } of references) {
    const rows = await sql.query({ text: `SELECT ${theirs} AS value FROM ${other}`, values: [] });
    chosen.set(
      String(own),
      rows.map((row) => row["value"] ?? null),
    );
  }
  const valueOf = (column: Column, row: number): SqlValue => {
    const known = chosen.get(column.name);
    if (known !== undefined) return known[row] ?? null;
    if (column.nullable && row % 2 === 1) return null;
    if (column.type === "integer")
      return Math.floor(random.next() * (column.maximum / 16)) * 8 + row + 1;
    if (column.namesFile) return digest(random);
    return `${row} ${random.pick(TEXTS)}`;
  };
  const text = `INSERT INTO ${name} (${columns.map((column) => column.name).join(", ")})
    VALUES (${columns.map(() => "?").join(", ")})`;
  const rows = Array.from({ length: 8 }, (_, row) => columns.map((column) => valueOf(column, row)));
  await sql.batch(
    rows.map((values) => ({ text, values })),
    () => true,
  );
}

function digest(random: Chance): string {
  return Buffer.from(Uint8Array.from({ length: 32 }, () => random.between(0, 255))).toString("hex");
}
