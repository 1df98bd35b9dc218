import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ensureTools } from "../../scripts/debian.ts";
import { animals } from "../animals.ts";
import { pinned, run } from "../child.ts";
import { median } from "../compare.ts";
import { program } from "../program.ts";
import { atLeast, atMost, figure, type Bench, type Figure, type Gap, type Row } from "../row.ts";

/** Row 17: the CPU time and the memory of an import of a million animals. */
export const importing: Row = {
  name: "import",

  measure: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [gap(missing)];
    const files = await write(bench, ANIMALS);
    bench.say(`row 17: ${ANIMALS.toLocaleString("en")} animals are imported`);
    const ours: Usage[] = [];
    const theirs = { indexed: [] as Usage[], outbox: [] as Usage[] };
    for (let index = 0; index < RUNS; index++) {
      ours.push(await imported(bench, files, ANIMALS));
      theirs.indexed.push(await loaded(bench, files, ANIMALS, false));
      theirs.outbox.push(await loaded(bench, files, ANIMALS, true));
    }
    const seconds = (usages: readonly Usage[]): number =>
      median(usages.map(({ cpuSeconds }) => cpuSeconds));
    const what = "import of 1,000,000 animals, CPU time";
    const compared = (against: string, reference: readonly Usage[], goal: number): Figure => {
      const [own, other] = [seconds(ours), seconds(reference)];
      const facts = { row: 17, what, ours: own, against, theirs: other, unit: "s" } as const;
      return figure({ ...facts, value: other / own }, atLeast(goal));
    };
    const megabytes = median(ours.map((usage) => usage.megabytes));
    const memory = { row: 17, what: "memory (RSS) of that import", ours: megabytes } as const;
    return [
      compared("sqlite3 .import, same table and indexes", theirs.indexed, 0.3),
      compared("the same, and a row of the outbox each", theirs.outbox, 0.3),
      figure(
        { ...memory, against: "nothing", theirs: 0, unit: "MB", value: megabytes },
        atMost(150, "MB"),
      ),
    ];
  },

  smoke: async (bench) => {
    const files = await write(bench, SMOKE_ANIMALS);
    await imported(bench, files, SMOKE_ANIMALS);
    if (Bun.which("sqlite3") === null) return [gap("sqlite3 is not installed")];
    await loaded(bench, files, SMOKE_ANIMALS, true);
    return [];
  },
};

const ANIMALS = 1_000_000;
const SMOKE_ANIMALS = 1_234;
const RUNS = 3;
const WATCH_EVERY_MS = 20;
const TOOLS = [{ command: "sqlite3", debianPackage: "sqlite3" }];

/** The tables of `lib/storage/migrations.ts` that an import fills. */
const TABLES = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
CREATE TABLE pets (catalogue_id BIGINT NOT NULL, id BIGINT NOT NULL, name TEXT NOT NULL,
  category_id BIGINT NOT NULL, status TEXT NOT NULL, version BIGINT NOT NULL,
  created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, folded_name TEXT,
  PRIMARY KEY (catalogue_id, id)) WITHOUT ROWID;
CREATE INDEX pets_by_status ON pets (catalogue_id, status, id);
CREATE INDEX pets_by_category ON pets (catalogue_id, category_id, id);
CREATE INDEX pets_by_category_and_status ON pets (catalogue_id, category_id, status, id);
CREATE INDEX pets_unfolded ON pets (catalogue_id, id) WHERE folded_name IS NULL;
CREATE TABLE events (seq INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL,
  account_id TEXT NOT NULL, catalogue_id BIGINT, occurred_at BIGINT NOT NULL, data TEXT NOT NULL);
CREATE INDEX events_by_account ON events (account_id, seq);`;

function gap(reason: string): Gap {
  return { row: 17, what: "import", reason };
}

interface Files {
  readonly ndjson: string;
  readonly pets: string;
  readonly events: string;
}

/** Writes the animals as the program and as `sqlite3` import them. */
async function write({ scratch }: Bench, count: number): Promise<Files> {
  const directory = join(scratch, "import");
  await mkdir(directory, { recursive: true });
  const files = {
    ndjson: join(directory, "animals.ndjson"),
    pets: join(directory, "pets.csv"),
    events: join(directory, "events.csv"),
  };
  const at = Date.now();
  const lines = animals(count).map((animal, index) => {
    const { name, categoryId, status } = animal;
    const id = index + 1;
    const data = JSON.stringify({ pet: { id, ...animal } }).replaceAll('"', '""');
    return {
      ndjson: JSON.stringify(animal),
      pets: `1,${id},${name},${categoryId},${status},1,${at},${at},${name.toUpperCase()}`,
      events: `${id},pet.created,acc_7Gk2mQ9xYt4B,1,${at},"${data}"`,
    };
  });
  for (const which of ["ndjson", "pets", "events"] as const) {
    await Bun.write(files[which], lines.map((line) => `${line[which]}\n`).join(""));
  }
  return files;
}

interface Usage {
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

async function usageOf(command: readonly string[], expected: string): Promise<Usage> {
  const child = Bun.spawn(pinned("server", command), { stdio: ["ignore", "pipe", "pipe"] });
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = mostMegabytes(child.pid) ?? megabytes;
  }, WATCH_EVERY_MS);
  const output = await new Response(child.stdout).text();
  clearInterval(watch);
  if ((await child.exited) !== 0 || !output.includes(expected)) {
    throw new Error(`${command.join(" ")}: ${output}${await new Response(child.stderr).text()}`);
  }
  const used = child.resourceUsage();
  if (used === undefined) throw new Error("The runtime does not report what a process used.");
  return { cpuSeconds: Number(used.cpuTime.total) / 1e6, megabytes };
}

/**
 * Returns the most memory that a process has had, in megabytes; undefined after its end. `resourceUsage().maxRSS` also counts
 * the memory of this process, in which the child begins.
 */
function mostMegabytes(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Imports the animals with the program into a new installation. */
async function imported(bench: Bench, { ndjson }: Files, count: number): Promise<Usage> {
  const dataDir = `--data-dir=${join(bench.scratch, `import-${crypto.randomUUID()}`)}`;
  const made = await run([...program, "accounts", "create", "Importer", "--json", dataDir]);
  const { id }: { readonly id?: unknown } = Object(JSON.parse(made));
  const words = ["pets", "import", ndjson, `--account=${String(id)}`, dataDir];
  return usageOf([...program, ...words], `${count} added, 0 failed`);
}

/** Imports them with `sqlite3`; `outbox` adds a row of the outbox for each. */
async function loaded(
  bench: Bench,
  { pets, events }: Files,
  count: number,
  outbox: boolean,
): Promise<Usage> {
  const database = join(bench.scratch, `import-${crypto.randomUUID()}.db`);
  const both = outbox ? [`.import ${events} events`] : [];
  const commands = [TABLES, ".mode csv", `.import ${pets} pets`, ...both];
  commands.push("SELECT count(*) || ' rows' FROM pets;");
  const script = join(bench.scratch, "import.sql");
  await Bun.write(script, commands.join("\n"));
  return usageOf(["sqlite3", database, `.read ${script}`], `${count} rows`);
}
