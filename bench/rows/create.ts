import { join } from "node:path";
import { startServer, type Child } from "../child.ts";
import { alternate } from "../compare.ts";
import { requestsPerSecond } from "../load.ts";
import { bearer, program, startProgram } from "../program.ts";
import { record, sameAnswer } from "../recorded.ts";
import { atLeast, figure, type Bench, type Row } from "../row.ts";

/** Row 3: adding animals, each acknowledged when it is on disk. */
export const create: Row = {
  name: "create",

  measure: async (bench) => {
    await using servers = await startServers(bench);
    const { source, compiled, oneByOne, echo, headers } = servers;
    const load = ({ url }: Child) =>
      requestsPerSecond({ url: url + PETS, headers, script: CREATE, seconds: bench.seconds });
    bench.say("row 3: create");
    for (const server of [source, compiled, oneByOne, echo]) await load(server);
    const rates = await alternate(bench.runs, {
      source: () => load(source),
      compiled: () => load(compiled),
      oneByOne: () => load(oneByOne),
      echo: () => load(echo),
    });
    const shared = { row: 3, unit: "req/s" } as const;
    const bare = { ...shared, against: "bare Bun.serve that echoes", theirs: rates.echo };
    const single = { ...shared, against: "ours, one sync each", theirs: rates.oneByOne };
    return [
      figure({ ...bare, what: "create, from source", ours: rates.source }, atLeast(0.6)),
      figure({ ...bare, what: "create, compiled", ours: rates.compiled }, atLeast(0.6)),
      figure({ ...single, what: "create, from source", ours: rates.source }, atLeast(8)),
    ];
  },

  smoke: async (bench) => {
    await using servers = await startServers(bench);
    const { source, compiled, oneByOne, echo, headers } = servers;
    const post = async ({ url }: Child) =>
      record(await fetch(url + PETS, { ...NEW_PET, headers: { ...headers, ...NEW_PET.headers } }));
    const said = await post(source);
    // The program has answered once before, for the bare server to know how.
    const body = JSON.stringify({ id: 2, ...ANIMAL });
    sameAnswer(said, { ...said, status: 201, body });
    sameAnswer(await post(oneByOne), { ...said, body: JSON.stringify({ id: 1, ...ANIMAL }) });
    sameAnswer(await post(compiled), { ...said, body: JSON.stringify({ id: 1, ...ANIMAL }) });
    sameAnswer(await post(echo), { ...said, body: JSON.stringify(ANIMAL) });
    return [];
  },
};

const PETS = "/v1/pets";
const ANIMAL = { name: "Rex", categoryId: 1, status: "available" };
const NEW_PET = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(ANIMAL),
};
const CREATE = join(import.meta.dir, "../lua/create.lua");
const ECHO = join(import.meta.dir, "../servers/echo.ts");
const ONE_BY_ONE = join(import.meta.dir, "../servers/one-by-one.ts");

interface Servers extends AsyncDisposable {
  readonly source: Child;
  readonly compiled: Child;
  /** The service with a store that syncs for each request alone. */
  readonly oneByOne: Child;
  /** A bare server that parses and echoes, in as many headers. */
  readonly echo: Child;
  readonly headers: Readonly<Record<string, string>>;
}

async function startServers(bench: Bench): Promise<Servers> {
  const { scratch } = bench;
  const shelter = await bench.shelter("create");
  const executable = await bench.executable();
  const headers = bearer(shelter.emptyKey);
  await using stack = new AsyncDisposableStack();
  const source = stack.use(await startProgram("create source", program, shelter));
  const compiled = stack.use(
    await startProgram("create compiled", executable, await bench.shelter("create compiled")),
  );
  const { dataDir } = await bench.shelter("create one by one");
  const oneByOne = stack.use(
    await startServer({
      name: "create one by one",
      scratch,
      command: (port) => [process.execPath, ONE_BY_ONE, String(port), dataDir],
    }),
  );
  const file = join(scratch, "create.json");
  const said = await fetch(source.url + PETS, {
    ...NEW_PET,
    headers: { ...headers, ...NEW_PET.headers },
  });
  await Bun.write(file, JSON.stringify(await record(said)));
  const echo = stack.use(
    await startServer({
      name: "create echo",
      scratch,
      probe: "/",
      command: (port) => [process.execPath, ECHO, String(port), file],
    }),
  );
  const whole = stack.move();
  return {
    source,
    compiled,
    oneByOne,
    echo,
    headers,
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}
