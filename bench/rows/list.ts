import { join } from "node:path";
import { startServer, type Child } from "../child.ts";
import { alternateLoads } from "../compare.ts";
import { serve, type Served } from "../load.ts";
import { bearer, LIST, source as fromSource, startProgram } from "../program.ts";
import { record, sameAnswer } from "../recorded.ts";
import { atLeast, loadFigure, type Bench, type Row } from "../row.ts";
import { collectPages } from "../walk.ts";

/** Rows 1 and 2: a list of animals, with the same page repeatedly and with different pages. */
export const list: Row = {
  name: "list",

  measure: async (bench) => {
    await using servers = await startServers(bench);
    const { headers } = servers;
    bench.say("collecting pages");
    const pages = await collectPages(servers.source.url + LIST, headers, PAGES);
    const file = join(bench.scratch, "pages.txt");
    await Bun.write(file, pages.join("\n"));
    const { seconds } = bench;
    const samePage = (child: Child) => serve(child, { url: child.url + LIST, headers, seconds });
    const otherPages = (child: Child) =>
      serve(child, { url: child.url, headers, seconds, script: CYCLE, scriptArguments: [file] });
    const against = "bare Bun.serve, same bytes";
    const compare = async (row: number, load: typeof samePage, what: string, goal: number) => {
      bench.say(`row ${row}: ${what}`);
      const { source, compiled, bare } = servers;
      for (const server of [source, compiled, bare]) await load(server);
      const seen = await alternateLoads(bench.runs, {
        source: () => load(source),
        compiled: () => load(compiled),
        bare: () => load(bare),
      });
      const beside = (how: string, ours: Served) =>
        loadFigure(
          { row, what: `${what}, ${how}`, against },
          { ours, theirs: seen.bare },
          atLeast(goal),
        );
      return [beside("from source", seen.source), beside("compiled", seen.compiled)];
    };
    return [
      ...(await compare(1, samePage, "list", 0.8)),
      ...(await compare(2, otherPages, "list, always another page", 0.4)),
    ];
  },

  smoke: async (bench) => {
    await using servers = await startServers(bench);
    const { source, compiled, bare, headers } = servers;
    const bodies = new Set<string>();
    const pages = [LIST, ...(await collectPages(source.url + LIST, headers, 2))];
    for (const page of pages) {
      const ours = await record(await fetch(source.url + page, { headers }));
      const theirs = await record(await fetch(compiled.url + page, { headers }));
      sameAnswer(ours, theirs);
      bodies.add(ours.body);
    }
    if (bodies.size !== pages.length) throw new Error("two pages hold the same animals");
    sameAnswer(
      await record(await fetch(source.url + LIST, { headers })),
      await record(await fetch(bare.url)),
    );
    return [];
  },
};

/** More pages than the program can cache, so that each request misses. */
const PAGES = 60_000;
const CYCLE = join(import.meta.dir, "../lua/cycle.lua");
const BARE = join(import.meta.dir, "../servers/bare.ts");

/** Starts both forms of the program, and a bare server that repeats its response. */
async function startServers(bench: Bench): Promise<Servers> {
  const { scratch } = bench;
  const [shelter, twin] = [await bench.shelter("list"), await bench.shelter("list compiled")];
  const executable = await bench.executable();
  const headers = bearer(shelter.key);
  await using stack = new AsyncDisposableStack();
  const use = async (child: Promise<Child>) => stack.use(await child);

  const source = await use(startProgram("list source", fromSource, shelter));
  const compiled = await use(startProgram("list compiled", executable, twin));
  const said = await record(await fetch(source.url + LIST, { headers }));
  const file = join(scratch, "list.json");
  await Bun.write(file, JSON.stringify(said));
  const serveBare = (port: number) => [process.execPath, BARE, String(port), file];
  const bare = await use(startServer({ name: "bare", scratch, command: serveBare }));
  const started = stack.move();
  const stop = () => started.disposeAsync();
  return { source, compiled, bare, headers, [Symbol.asyncDispose]: stop };
}

interface Servers extends AsyncDisposable {
  readonly source: Child;
  readonly compiled: Child;
  readonly bare: Child;
  readonly headers: Readonly<Record<string, string>>;
}
