/**
 * Adds animals with the program's statements and settings of SQLite, and does nothing else: no key, limit, validation,
 * idempotency or log. Arguments: port, database, file with the response.
 */
import { Database } from "bun:sqlite";
import type { Recorded } from "../recorded.ts";

type Row = Record<string, string | number | null>;

const [port = "0", path = "", file = ""] = process.argv.slice(2);
const { status, headers } = (await Bun.file(file).json()) as Recorded;
const database = new Database(path);
for (const setting of ["synchronous = FULL", "secure_delete = ON", "foreign_keys = ON"]) {
  database.run(`PRAGMA ${setting}`);
}
database.run("PRAGMA temp_store = MEMORY");
database.run("PRAGMA cache_size = -16384");

const { id: catalogue } = only("SELECT id FROM catalogues WHERE next_pet_id = 1 ORDER BY id DESC");
const pet = only("SELECT * FROM pets ORDER BY id DESC");
const event = only("SELECT * FROM events WHERE type = 'pet.created' ORDER BY seq DESC");
const account = only(`SELECT account_id FROM catalogues WHERE id = ${catalogue}`);
const model: Row = { ...event, ...account, catalogue_id: catalogue ?? 0 };
delete model["seq"];
const begin = database.prepare("BEGIN IMMEDIATE");
const commit = database.prepare("COMMIT");
const take = database.prepare(
  "UPDATE catalogues SET next_pet_id = next_pet_id + ?, revision = revision + 1 WHERE id = ?",
);
const taken = database.prepare<{ readonly next: number }, [number]>(
  "SELECT next_pet_id AS next, revision, account_id FROM catalogues WHERE id = ?",
);
const category = database.prepare("SELECT 1 FROM categories WHERE catalogue_id = ? AND id = ?");
const addPet = insert("pets", pet);
const addEvent = insert("events", model);

interface Waiting {
  readonly body: object;
  readonly respond: (response: Response) => void;
}

let waiting: Waiting[] = [];

function flush(): void {
  const group = waiting;
  waiting = [];
  begin.run();
  take.run(group.length, Number(catalogue));
  const next = taken.get(Number(catalogue))?.next ?? 0;
  category.get(Number(catalogue), 1);
  const at = Date.now();
  const ids = group.map((_, index) => next - group.length + index);
  for (const id of ids) {
    addPet.run(
      ...Object.values({
        ...pet,
        catalogue_id: catalogue ?? 0,
        id,
        created_at: at,
        updated_at: at,
      }),
    );
  }
  for (const id of ids) {
    const data = JSON.stringify({ id, name: "Rex", categoryId: 1, status: "available" });
    addEvent.run(...Object.values({ ...model, occurred_at: at, data }));
  }
  commit.run();
  for (const [index, { body, respond }] of group.entries()) {
    respond(new Response(JSON.stringify({ id: ids[index], ...body }), { status, headers }));
  }
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  fetch: async (request) => {
    const body = (await request.json()) as object;
    return new Promise<Response>((respond) => {
      if (waiting.push({ body, respond }) === 1) setTimeout(flush, 0);
    });
  },
});

function only(text: string): Row {
  const row = database.query<Row, []>(`${text} LIMIT 1`).get();
  if (row === null) throw new Error(`no row: ${text}`);
  return row;
}

function insert(table: string, row: Row) {
  const columns = Object.keys(row);
  return database.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
}
