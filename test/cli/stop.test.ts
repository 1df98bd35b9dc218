import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

import { silentLog, type Log } from "../../lib/base/log.ts";
import { limitEnding } from "../../server/process/limited-ending.ts";
import { codeOf } from "../../settings/failure.ts";
import { torture } from "../helpers/chance.ts";
import { recursiveAnswer } from "../helpers/dns/answer.ts";
import { fakeServer, type FakeServer, type Query } from "../helpers/dns/server.ts";
import { zone } from "../helpers/dns/zone.ts";
import { timeUntil } from "../helpers/nodes.ts";
import { startProgram, type Program } from "../helpers/process.ts";
import { installation, scratch, type Installation } from "./installation.ts";

/** Stops in each state. */
const STOPS = torture ? 20 : 1;

interface SilentServer extends Disposable {
  readonly port: number;
  /** Resolves with the next connection. */
  asked(): Promise<void>;
}

/** Accepts connections and says nothing. */
let silent: SilentServer;
/** A resolver that knows the zone of the domains. */
let answering: FakeServer;
/** A resolver that answers no query. */
let mute: FakeServer;
/** A data directory with domains that are to be checked. */
let prepared: Installation;
/** Of an operator of it. */
let token = "";

beforeAll(async () => {
  silent = await silentServer();
  const zones = [
    zone({ apex: "shelter.org", lines: ["@ A 192.0.2.1"], servers: ["ns1.dns.test"] }),
  ];
  const say = ({ name, type }: Query) => recursiveAnswer(zones, name, type);
  answering = await fakeServer({ say });
  mute = await fakeServer({ say, fault: () => "drop" });
  prepared = await installation();
  await using server = await prepared.serve(...resolvers(mute, mute));
  const { id } = await prepared.json<{ id: string }>("accounts", "create", "A", "--plan", "pro");
  await prepared.json("projects", "create", "Site", "--slug", "site", "--account", id);
  await prepared.run("deploy", "--starter", "--project", "site");
  for (const name of ["pets", "cats", "dogs"]) {
    await prepared.json("domains", "add", `${name}.shelter.org`, "--project", "site");
  }
  ({ token } = await prepared.json<{ token: string }>("tokens", "create", "--name", "test"));
  await server.end();
});

afterAll(async () => {
  silent[Symbol.dispose]();
  await Promise.all([answering.close(), mute.close()]);
});

async function silentServer(): Promise<SilentServer> {
  const server = createServer((socket) => void socket.on("error", () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    port: (server.address() as AddressInfo).port,
    asked: async () => void (await once(server, "connection")),
    [Symbol.dispose]: () => void server.close(),
  };
}

/** What a server is doing when it is stopped. */
interface State {
  readonly args?: () => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Resolves when it is doing it. */
  readonly reached?: (server: Program) => Promise<unknown>;
}

const STATES: Readonly<Record<string, State>> = {
  idle: {},
  "serving HTTPS and metrics": {
    args: () => [
      ...["--listen-https", "127.0.0.1:0", "--acme", "internal"],
      ...["--metrics-listen", "127.0.0.1:0"],
    ],
  },
  "asking resolvers, one of which is silent": {
    args: () => resolvers(answering, mute),
    reached: () => asked(answering),
  },
  "asking two silent resolvers": {
    args: () => resolvers(mute, mute),
    reached: () => asked(mute),
  },
  "waiting for a CA that does not answer": {
    args: () => [
      ...resolvers(answering, answering),
      ...["--listen-https", "127.0.0.1:0", "--acme", `https://127.0.0.1:${silent.port}/directory`],
    ],
    reached: () => silent.asked(),
  },
  "sending events to clients": {
    reached: async ({ origin }) => {
      const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
      for (let stream = 0; stream < 5; stream++) {
        const response = await fetch(`${origin}/manage/v1/events`, { headers });
        expect(response.status).toBe(200);
        // Reads as it arrives, like any client, until the server ends the stream.
        void response.body?.pipeTo(new WritableStream()).catch(() => undefined);
      }
    },
  },
  "making a backup to a bucket that does not answer": {
    args: () => [
      ...["--backup-to", "s3://bucket/backups", "--s3-region", "us-east-1"],
      ...["--s3-endpoint", `http://127.0.0.1:${silent.port}`, "--s3-access-key-id", "id"],
    ],
    env: { PETSTORE_S3_SECRET_ACCESS_KEY: "secret" },
    reached: () => silent.asked(),
  },
};

/** Resolves when the resolver has got another query. */
async function asked({ queries }: FakeServer): Promise<void> {
  const before = queries.length;
  await timeUntil(() => queries.length > before, 60_000);
}

function resolvers(first: FakeServer, second: FakeServer): readonly string[] {
  return [
    ...["--dns-servers", `127.0.0.1:${first.port},127.0.0.1:${second.port}`],
    ...["--base-domain", "petstore.example.org", "--allow-private-networks"],
  ];
}

/** Returns the process IDs of the children of all threads; none for an ended process. */
function childrenOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
    );
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function runs(pid: string): boolean {
  return readdirSync("/proc").includes(pid);
}

describe.each(Object.entries(STATES))("a server that is %s", (_, { args, env, reached }) => {
  test("ends with 0 on SIGTERM, and leaves nothing open and no process", async () => {
    for (let stop = 0; stop < STOPS; stop++) {
      const dataDir = join(await scratch(), "data");
      await cp(prepared.dataDir, dataDir, { recursive: true });
      await using server = await startProgram({
        dataDir,
        args: args?.() ?? [],
        ...(env === undefined ? {} : { env }),
      });
      await reached?.(server);
      const children = childrenOf(server.pid);
      expect(await server.end("SIGTERM")).toBe(0);
      expect(children.filter(runs)).toEqual([]);
      const output = server.output();
      expect(output).toContain('"stopped"');
      expect(output).not.toContain("kept the stopped process alive");
      expect(output).not.toContain('"level":"error"');
    }
  });
});

test.each(["keep-alive", "close"])(
  "a client that has its refusal and sends no more of its body does not delay the end (%s)",
  async (connection) => {
    await using server = await startProgram();
    const { hostname, port } = new URL(server.origin);
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    const lines = ["Host: one.test", `Connection: ${connection}`, "Content-Length: 1000"];
    socket.write(`POST /v1/pets HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n{`);
    const [said] = await once(socket, "data");
    expect(String(said)).toStartWith("HTTP/1.1 401 ");
    const before = performance.now();
    expect(await server.end("SIGTERM")).toBe(0);
    // A second, and what a busy machine adds. The body would be awaited for ten.
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(server.output()).not.toContain("aborted");
    socket.destroy();
  },
);

test("a stopped server that something keeps alive ends, and says what was open", async () => {
  const kept = join(await scratch(), "kept.ts");
  await writeFile(kept, 'Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });');
  await using server = await startProgram({ env: { BUN_OPTIONS: `--preload=${kept}` } });
  expect(await server.end("SIGTERM")).toBe(0);
  expect(server.output()).toMatch(
    /"message":"something kept the stopped process alive; it ends","open":"tcp 127\.0\.0\.1:\d+ \(listening\)"/,
  );
});

test("a server that does not stop in time exits with 1, and says what is open", async () => {
  const { promise: exited, resolve: exit } = Promise.withResolvers<number | undefined>();
  const lines: string[] = [];
  const log: Log = {
    ...silentLog,
    error: (message, _error, { open } = {}) => lines.push(`${message}: ${open}`),
  };
  limitEnding({ log, exit, stopWithinMs: 1 }).begin();
  expect(await exited).toBe(1);
  // The sockets of this file.
  expect(lines).toEqual([
    expect.stringMatching(
      /^the server did not stop in time; the process ends: .*udp 127\.0\.0\.1:/,
    ),
  ]);
});
