import { join } from "node:path";
import { bunSqliteSql } from "../adapters/sqlite/bun.ts";
import { createAudit, sqlAuditStore } from "../lib/audit/index.ts";
import { SECOND_MS } from "../lib/base/clock.ts";
import { sqlStore } from "../lib/storage/sql-store.ts";
import { animals } from "./animals.ts";
import { run } from "./child.ts";
import { program } from "./program.ts";

/** A data directory written by the program. */
export interface Shelter {
  readonly dataDir: string;
  /** The API key of the catalogue with the animals. */
  readonly key: string;
  /** The API key of an empty catalogue, for writers. */
  readonly emptyKey: string;
}

/** The largest limits, so that no request is refused. */
const LIMIT = "1000000000";

/** Creates two accounts and imports animals into the first. `env` may name a database. */
export async function makeShelter(
  dataDir: string,
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Shelter> {
  const petstore = async (...args: string[]): Promise<string> =>
    run([...program, ...args, `--data-dir=${dataDir}`], { env });
  const newKey = async (
    name: string,
  ): Promise<{ readonly account: string; readonly key: string }> => {
    const limits = ["--per-minute", LIMIT, "--per-day", LIMIT];
    const plan = ["--plan", "enterprise", ...limits];
    const { id } = read(await petstore("accounts", "create", name, ...plan, "--json"));
    const { key } = read(await petstore("keys", "create", `--account=${String(id)}`, "--json"));
    return { account: String(id), key: String(key) };
  };
  const full = await newKey("Full");
  const empty = await newKey("Empty");
  const file = join(dataDir, "..", "animals.ndjson");
  await Bun.write(
    file,
    animals(count)
      .map((animal) => `${JSON.stringify(animal)}\n`)
      .join(""),
  );
  await petstore("pets", "import", file, `--account=${full.account}`);
  // Several processes share the work on PostgreSQL, and its rows measure nothing right after the start.
  if (Object.keys(env).length === 0) await writeAuditLog(dataDir);
  return { dataDir, key: full.key, emptyKey: empty.key };
}

/** Writes the rows of the import, as a server does in its first seconds: what is measured later is no work left over. */
async function writeAuditLog(dataDir: string): Promise<void> {
  const sql = await bunSqliteSql({ path: join(dataDir, "petstore.db") });
  const audit = createAudit({
    store: await sqlStore({ sql }),
    auditStore: await sqlAuditStore({ sql }),
  });
  for (;;) {
    await audit.jobs.tick();
    if ((await audit.state()).behindMs === 0) break;
    await Bun.sleep(SECOND_MS);
  }
  await audit.close();
  await sql.close();
}

function read(json: string): Readonly<Record<string, unknown>> {
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}
