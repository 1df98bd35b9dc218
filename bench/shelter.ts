import { join } from "node:path";
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
  return { dataDir, key: full.key, emptyKey: empty.key };
}

function read(json: string): Readonly<Record<string, unknown>> {
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}
