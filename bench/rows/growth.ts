import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Child } from "../child.ts";
import { alternateLoads } from "../compare.ts";
import { serve } from "../load.ts";
import { bearer, LIST, program, startProgram } from "../program.ts";
import { atMost, figure, type Bench, type Figure, type Row } from "../row.ts";
import { makeShelter, type Shelter } from "../shelter.ts";
import { collectPages, collectPagesAcross } from "../walk.ts";

/** Row 19: the median times of rows 1 and 2 with ten million animals, compared with a thousand. */
export const growth: Row = {
  name: "growth",

  measure: async (bench) => {
    await using shops = await openShops(bench, MANY);
    const { large, small } = shops;
    bench.say("collecting pages");
    const near = {
      large: await pagesOf(bench, "large near", () => nearest(large)),
      small: await pagesOf(bench, "small near", () => nearest(small)),
    };
    const far = {
      large: await pagesOf(bench, "large far", () => collectPagesAcross(large.list, large.headers)),
      small: near.small,
    };
    const figures: Figure[] = [];
    const loads = [
      { what: "list", pages: undefined },
      {
        what: `list, always another page among the newest ${PAGES.toLocaleString("en")}`,
        pages: near,
      },
      { what: "list, always another page anywhere", pages: far },
    ];
    for (const { what, pages } of loads) {
      bench.say(`row 19: ${what}`);
      const load =
        ({ child, headers }: Shop, file: string | undefined) =>
        () => {
          const { seconds } = bench;
          if (file === undefined) return serve(child, { url: child.url + LIST, headers, seconds });
          const script = { script: CYCLE, scriptArguments: [file] };
          return serve(child, { url: child.url, headers, seconds, ...script });
        };
      const contestants = { ours: load(large, pages?.large), theirs: load(small, pages?.small) };
      for (const contestant of Object.values(contestants)) await contestant();
      const { ours, theirs } = await alternateLoads(bench.runs, contestants);
      figures.push(
        figure(
          {
            row: 19,
            what: `${what}, p50, ${MANY.toLocaleString("en")} animals`,
            ours: ours.medianMicros,
            against: `${FEW.toLocaleString("en")} animals`,
            theirs: theirs.medianMicros,
            unit: "µs",
            cpuRatio: theirs.cpuMicros / ours.cpuMicros,
          },
          atMost(1.3, "times"),
        ),
      );
    }
    return figures;
  },

  smoke: async (bench) => {
    await using shops = await openShops(bench, SMOKE);
    const { large, small } = shops;
    for (const [shop, newest] of [
      [large, SMOKE],
      [small, FEW],
    ] as const) {
      const response = await fetch(`${shop.child.url}/v1/pets?limit=100`, shop);
      const pets = (await response.json()) as readonly { readonly id: number }[];
      const ids = pets.map(({ id }) => id);
      const expected = Array.from({ length: 100 }, (_, index) => newest - index);
      if (ids.join() !== expected.join()) throw new Error(`the newest animals are ${ids.join()}`);
      const pages = await collectPagesAcross(shop.list, shop.headers);
      // Eight of ten animals are available, a hundred of them a page.
      const available = (newest * 4) / 5;
      if (pages.length !== Math.ceil(available / 100) - 1) throw new Error("pages are missing");
    }
    return [];
  },
};

const FEW = 1_000;
const MANY = 10_000_000;
const SMOKE = 3_000;
/** As in row 2. */
const PAGES = 60_000;
const CYCLE = join(import.meta.dir, "../lua/cycle.lua");

interface Shop {
  readonly child: Child;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of row 1's page. */
  readonly list: string;
}

interface Shops extends AsyncDisposable {
  readonly large: Shop;
  readonly small: Shop;
}

async function openShops(bench: Bench, many: number): Promise<Shops> {
  bench.say(`adding ${many.toLocaleString("en")} animals`);
  await using stack = new AsyncDisposableStack();
  const open = async (name: string, count: number): Promise<Shop> => {
    const shelter = await makeShelter(join(bench.scratch, name), FEW);
    multiply(shelter, count);
    const child = stack.use(await startProgram(`growth ${name}`, program, shelter));
    return { child, headers: bearer(shelter.key), list: child.url + LIST };
  };
  const large = await open("growth-large", many);
  const small = await open("growth-small", FEW);
  const started = stack.move();
  return { large, small, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

function nearest({ list, headers }: Shop): Promise<readonly string[]> {
  return collectPages(list, headers, PAGES);
}

async function pagesOf(
  { scratch }: Bench,
  name: string,
  collect: () => Promise<readonly string[]>,
): Promise<string> {
  const file = join(scratch, `growth ${name}.txt`);
  await Bun.write(file, (await collect()).join("\n"));
  return file;
}

/** Repeats the animals of a shelter until there are `count`, without events: an import would take many minutes. */
function multiply({ dataDir }: Shelter, count: number): void {
  using database = new Database(join(dataDir, "petstore.db"));
  database.run("PRAGMA journal_mode = DELETE");
  database.run("PRAGMA synchronous = OFF");
  database.run("PRAGMA cache_size = -200000");
  const [{ id: catalogue } = { id: 0 }] = database
    .query<{ readonly id: number }, []>("SELECT DISTINCT catalogue_id AS id FROM pets")
    .all();
  const columns = database
    .query<{ readonly name: string }, []>("SELECT name FROM pragma_table_info('pets')")
    .all()
    .map(({ name }) => name);
  database.run("CREATE TEMP TABLE model AS SELECT * FROM pets");
  const copied = columns.map((name) => (name === "id" ? "model.id + round.number * ?1" : name));
  database.run(
    `WITH RECURSIVE round (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM round WHERE number < ?2)
     INSERT INTO pets (${columns.join(", ")})
     SELECT ${copied.join(", ")} FROM round CROSS JOIN model WHERE round.number < ?2`,
    [FEW, count / FEW],
  );
  database.run("UPDATE catalogues SET next_pet_id = ?, revision = revision + 1 WHERE id = ?", [
    count + 1,
    catalogue,
  ]);
}
