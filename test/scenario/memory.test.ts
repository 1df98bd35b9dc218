import { expect, test } from "bun:test";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { until } from "../helpers/dns/until.ts";
import { startProgram, type Program } from "../helpers/process.ts";
import { http2Request, http2Session, presentedTo } from "../helpers/tls-client.ts";

// The short form tests with fewer connections, and for unread responses only that visitors are served; test/domains/tls/held.test.ts counts their memory.
const SECONDS = torture ? 60 : 0.3;
const HOST = "localhost";
const MAX_GROWTH_MB = 100;
/** Each needs three descriptors of the program. */
const CONNECTIONS = torture ? 6_000 : 1_000;
/** Without limits of unfinished input, a thousand connections without TLS take about 80 MB. */
const MAX_PLAIN_MB = torture ? MAX_GROWTH_MB : 60;
/** Two processes and the test share the cores: below this value a doubled p99 means nothing. */
const NOTICEABLE_MS = 25;

async function megabytesOf({ pid }: Program): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

/** Starts the program, and resolves once it has a certificate. */
async function serving() {
  const args = ["--listen-https=127.0.0.1:0", "--acme=internal"];
  const program = await startProgram({ args });
  const port = (): number =>
    Number(/listening on https:\/\/[^\s":]+:(\d+)/.exec(program.output())?.[1]);
  await until(() => port() > 0);
  for (;;) {
    const name = await presentedTo(port(), { serverName: HOST }).catch(() => undefined);
    if (name !== undefined) return { program, port: port() };
    await Bun.sleep(20);
  }
}

/** Opens connections of a kind, and returns the most memory that the program had until a while after the last. */
async function mostWhile(program: Program, port: number, kind: string): Promise<number> {
  const plainPort = new URL(program.origin).port;
  const args = [String(port), HOST, kind, String(CONNECTIONS), plainPort];
  const attacker = Bun.spawn(
    [process.execPath, join(import.meta.dir, "memory/attack.ts"), ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let most = 0;
  const watch = setInterval(() => {
    void megabytesOf(program).then((now) => (most = Math.max(most, now)));
  }, 50);
  try {
    await attacker.stdout.getReader().read();
    await visits(port, SECONDS / 4);
    return most;
  } finally {
    clearInterval(watch);
    attacker.kill("SIGKILL");
    await attacker.exited;
  }
}

/** Returns the milliseconds of sequential visits for `seconds`. */
async function visits(port: number, seconds: number): Promise<number[]> {
  const took: number[] = [];
  const session = await http2Session(port, HOST);
  for (const end = Date.now() + seconds * 1_000; Date.now() < end; await Bun.sleep(5)) {
    const before = performance.now();
    const { status } = await http2Request(session, { ":path": "/v1/openapi.json" });
    took.push(performance.now() - before);
    expect(status).toBe(200);
  }
  session.destroy();
  return took;
}

function percentile99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;
}

test.each(["streams", "pipelining"])(
  `memory stays bounded for ${SECONDS} s with forty connections that request much and read nothing (%s)`,
  async (kind) => {
    const { program, port } = await serving();
    await using _ = program;
    // Renders the document and warms up both paths.
    const usual = percentile99(await visits(port, SECONDS / 4));
    const before = await megabytesOf(program);
    const attacker = Bun.spawn(
      [process.execPath, join(import.meta.dir, "memory/attack.ts"), String(port), HOST, kind],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let most = before;
    const look = async (): Promise<void> => {
      most = Math.max(most, await megabytesOf(program));
    };
    const watch = setInterval(() => void look(), 50);
    try {
      await attacker.stdout.getReader().read();
      const attacked = percentile99(await visits(port, SECONDS));
      const shown = { kind, before, most, growth: most - before, usual, attacked };
      if (torture) console.log(JSON.stringify(shown));
      if (torture) expect(most - before).toBeLessThanOrEqual(MAX_GROWTH_MB);
      if (torture) expect(attacked).toBeLessThanOrEqual(Math.max(2 * usual, NOTICEABLE_MS));
    } finally {
      clearInterval(watch);
      attacker.kill("SIGKILL");
      await attacker.exited;
    }
  },
);

const secureKinds = torture ? ["block", "trickle", "head", "both", "record"] : ["block"];
const plainKinds = torture ? ["plain-head", "plain-body"] : ["plain-head"];
test.each([
  ...secureKinds.map((kind) => ["TLS", "idle", kind] as const),
  ...plainKinds.map((kind) => ["plain HTTP", "plain-idle", kind] as const),
])(
  `${CONNECTIONS} connections over %s take little more memory than as many idle ones (%s) if they complete nothing (%s)`,
  async (way, quiet, kind) => {
    const { program, port } = await serving();
    await using _ = program;
    const idle = await mostWhile(program, port, quiet);
    const most = await mostWhile(program, port, kind);
    if (torture) console.log(JSON.stringify({ kind, idle, most, growth: most - idle }));
    expect(most - idle).toBeLessThanOrEqual(way === "TLS" ? MAX_GROWTH_MB : MAX_PLAIN_MB);
  },
);
