import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startServer, type Child } from "../child.ts";
import { alternateLoads } from "../compare.ts";
import { serve, type Served } from "../load.ts";
import { bearer, program, startProgram } from "../program.ts";
import { record, sameAnswer, type Recorded } from "../recorded.ts";
import { atLeast, loadFigure, noGoal, type Bench, type Row } from "../row.ts";

/** Row 3: creating animals, each acknowledged once it is on disk. */
export const create: Row = {
  name: "create",

  measure: async (bench) => {
    await using servers = await startServers(bench);
    const { source, compiled, oneByOne, statements, echo } = servers;
    const load = ({ child, headers }: Contestant) => {
      const { seconds } = bench;
      return serve(child, { url: child.url + PETS, headers, script: CREATE, seconds });
    };
    bench.say("row 3: create");
    for (const server of [source, compiled, oneByOne, statements, echo]) await load(server);
    const seen = await alternateLoads(bench.runs, {
      source: () => load(source),
      compiled: () => load(compiled),
      oneByOne: () => load(oneByOne),
      statements: () => load(statements),
      echo: () => load(echo),
    });
    const beside = (how: string, ours: Served) =>
      loadFigure(
        { row: 3, what: `create, ${how}`, against: "bare Bun.serve that echoes" },
        { ours, theirs: seen.echo },
        atLeast(0.48),
      );
    return [
      beside("from source", seen.source),
      beside("compiled", seen.compiled),
      loadFigure(
        { row: 3, what: "create, from source", against: "ours, one sync a request" },
        { ours: seen.source, theirs: seen.oneByOne },
        atLeast(8),
      ),
      loadFigure(
        { row: 3, what: "create, from source", against: "the same statements, nothing else" },
        { ours: seen.source, theirs: seen.statements },
        noGoal,
      ),
      loadFigure(
        {
          row: 3,
          what: "the same statements, nothing else",
          against: "bare Bun.serve that echoes",
        },
        { ours: seen.statements, theirs: seen.echo },
        noGoal,
      ),
    ];
  },

  smoke: async (bench) => {
    await using servers = await startServers(bench);
    const { source, compiled, oneByOne, statements, echo, said } = servers;
    for (const ours of [compiled, oneByOne, statements]) sameAnswer(await post(ours), said);
    sameAnswer(await post(source), { ...said, body: JSON.stringify({ id: 2, ...ANIMAL }) });
    sameAnswer(await post(echo), { ...said, body: JSON.stringify(ANIMAL) });
    return [];
  },
};

const PETS = "/v1/pets";
const ANIMAL = { name: "Rex", categoryId: 1, status: "available" };
const CREATE = join(import.meta.dir, "../lua/create.lua");
const ECHO = join(import.meta.dir, "../servers/echo.ts");
const SAME_STATEMENTS = join(import.meta.dir, "../servers/same-statements.ts");
const ONE_BY_ONE = join(import.meta.dir, "../servers/one-by-one.ts");

/** A server and the request it expects. */
interface Contestant {
  readonly child: Child;
  readonly headers: Readonly<Record<string, string>>;
}

interface Servers extends AsyncDisposable {
  readonly source: Contestant;
  readonly compiled: Contestant;
  /** The service over a store that syncs for each request separately. */
  readonly oneByOne: Contestant;
  /** A server that runs the program's statements, and nothing else of it. */
  readonly statements: Contestant;
  /** A bare server that parses and echoes the body, with as many headers. */
  readonly echo: Contestant;
  /** The program's response to its first animal. */
  readonly said: Recorded;
}

async function startServers(bench: Bench): Promise<Servers> {
  const { scratch } = bench;
  const [shelter, twin] = [await bench.shelter("create"), await bench.shelter("create compiled")];
  const executable = await bench.executable();
  const headers = bearer(shelter.emptyKey);
  await using stack = new AsyncDisposableStack();
  const use = async (child: Promise<Child>) => ({ child: stack.use(await child), headers });

  const source = await use(startProgram("create source", program, shelter));
  const compiled = await use(startProgram("create compiled", executable, twin));
  const directory = join(scratch, "one-by-one");
  await mkdir(directory);
  const serveOneByOne = (port: number) => [process.execPath, ONE_BY_ONE, String(port), directory];
  const alone = await use(startServer({ name: "one by one", scratch, command: serveOneByOne }));
  const oneByOne = { ...alone, headers: bearer(await Bun.file(join(directory, "key")).text()) };
  const said = await post(source);
  const file = join(scratch, "create.json");
  await Bun.write(file, JSON.stringify(said));
  const third = join((await bench.shelter("create same statements")).dataDir, "petstore.db");
  const serveStatements = (port: number) => [
    process.execPath,
    SAME_STATEMENTS,
    String(port),
    third,
    file,
  ];
  const statements = await use(
    startServer({ name: "same statements", scratch, command: serveStatements }),
  );
  const serveEcho = (port: number) => [process.execPath, ECHO, String(port), file];
  const echo = await use(startServer({ name: "echo", scratch, command: serveEcho }));
  const started = stack.move();
  const stop = () => started.disposeAsync();
  return { source, compiled, oneByOne, statements, echo, said, [Symbol.asyncDispose]: stop };
}

async function post({ child, headers }: Contestant): Promise<Recorded> {
  const response = await fetch(child.url + PETS, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(ANIMAL),
  });
  return record(response);
}
