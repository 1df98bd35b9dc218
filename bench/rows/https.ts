import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateKeyPem } from "../../domains/acme/keys.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { ensureTools } from "../../scripts/debian.ts";
import { certificateFor, type Attached } from "../attached.ts";
import { startServer, type Child } from "../child.ts";
import { alternate } from "../compare.ts";
import { httpsRequests, httpsWait, type HttpsLoad } from "../load-https.ts";
import { goCaddy, goPeerMissing } from "../go-peers.ts";
import { program } from "../program.ts";
import { record, sameAnswer, type Recorded } from "../recorded.ts";
import { atLeast, atMost, figure, type Bench, type Figure, type Gap, type Row } from "../row.ts";
import { startSecure } from "../secure.ts";

/** Row 8: HTTPS for thousands of names, compared with a bare server and with Caddy, each with one certificate. */
export const https: Row = {
  name: "https",

  measure: async (bench) => {
    const missing = await ensureTools([H2LOAD]);
    if (missing !== undefined) return [gap(missing)];
    const attached = await bench.attached(NAMES);
    await using servers = await startServers(bench, attached);
    const { host, contestants, noCaddy } = servers;
    const lines: (Figure | Gap)[] = noCaddy === undefined ? [] : [gap(noCaddy)];
    const hasCaddy = noCaddy === undefined;
    const names = `${NAMES.toLocaleString("en")} names, from source`;
    const against = "bare node:http2 on Bun, one certificate";
    for (const { name, goal, skipsBare = false, ...load } of loads) {
      bench.say(`row 8: ${name}`);
      const { bare, ...others } = contestants;
      const compete = skipsBare ? others : { ...others, bare };
      const micros = await compared(bench, compete, async ({ port, cpuMicros }) => {
        const before = await cpuMicros();
        const requests = await httpsRequests({ host, port, ...load, seconds: bench.seconds });
        return ((await cpuMicros()) - before) / requests;
      });
      const facts = { row: 8, what: `${name}, CPU time, ${names}`, unit: "µs" } as const;
      const beside = (theirs: number, other: string, least: number): Figure =>
        figure(
          { ...facts, ours: micros.ours, against: other, theirs, value: theirs / micros.ours },
          atLeast(least),
        );
      if (!skipsBare) lines.push(beside(micros.bare, against, 0.9));
      if (hasCaddy) lines.push(beside(micros.caddy, "Caddy", goal));
    }
    for (const { name, ...load } of loads.filter(({ isTimed }) => isTimed)) {
      bench.say(`row 8: ${name}, waits`);
      const waits = await compared(bench, contestants, ({ port }) =>
        httpsWait({ host, port, ...load, seconds: bench.seconds }, bench.scratch),
      );
      const facts = {
        row: 8,
        what: `${name}, p99, ${names}`,
        ours: waits.ours,
        unit: "ms",
      } as const;
      lines.push(figure({ ...facts, against, theirs: waits.bare }, atMost(1.5, "times")));
      if (!hasCaddy) continue;
      lines.push(figure({ ...facts, against: "Caddy", theirs: waits.caddy }, atMost(1.5, "times")));
    }
    return lines;
  },

  smoke: async (bench) => {
    const attached = await bench.attached(FEW);
    await using servers = await startServers(bench, attached);
    const { host, contestants, noCaddy } = servers;
    const said = await askFor(host, contestants.ours.port);
    if (said.status !== 200) throw new Error(`${host} is answered with ${said.status}`);
    sameAnswer(said, await askFor(host, contestants.bare.port));
    if (Bun.which(H2LOAD.command) !== null) {
      const { port } = contestants.ours;
      const load = { host, port, streams: 10, seconds: 120, requests: 160 };
      await httpsWait(load, bench.scratch);
    }
    if (contestants.caddy === undefined) return [gap(noCaddy ?? "Caddy is not installed")];
    const theirs = await askFor(host, contestants.caddy.port);
    // It adds its own Server header.
    const { server: _server, ...headers } = theirs.headers;
    sameAnswer(said, { ...theirs, headers });
    return [];
  },
};

/** Measures all servers in turn, each once before that. */
async function compared(
  { runs }: Bench,
  { ours, bare, caddy }: Contestants,
  measure: (contestant: Contestant) => Promise<number>,
): Promise<Readonly<Record<"ours" | "bare" | "caddy", number>>> {
  const all = {
    ours: () => measure(ours),
    bare: async () => (bare === undefined ? Number.NaN : measure(bare)),
    caddy: async () => (caddy === undefined ? Number.NaN : measure(caddy)),
  };
  for (const one of Object.values(all)) await one();
  return alternate(runs, all);
}

/** Requests with a cookie are never answered by kept responses. */
const loads: readonly (Pick<HttpsLoad, "streams" | "fields"> & {
  readonly name: string;
  /** Compared with Caddy. */
  readonly goal: number;
  /** Whether the time until a response is measured, too. */
  readonly isTimed?: true;
  /** The bare server is left out: with so many streams it and `h2load` may never finish (Bun 1.4.5). */
  readonly skipsBare?: true;
})[] = [
  { name: "HTTP/1.1 over TLS", fields: ["cookie: a=b"], goal: 1.2, isTimed: true },
  { name: "HTTP/1.1 over TLS, a kept page", goal: 1.8 },
  { name: "HTTP/2 over TLS, 1 stream", streams: 1, goal: 1 },
  { name: "HTTP/2 over TLS, 10 streams", streams: 10, goal: 3, isTimed: true },
  { name: "HTTP/2 over TLS, 100 streams", streams: 100, goal: 3, skipsBare: true },
];

const NAMES = 10_000;
const FEW = 20;
const H2LOAD = { command: "h2load", debianPackage: "nghttp2-client" };
const BARE = join(import.meta.dir, "../servers/bare-http2.ts");

function gap(reason: string): Gap {
  return { row: 8, what: "HTTPS", reason };
}

interface Contestants {
  readonly ours: Contestant;
  readonly bare?: Contestant;
  readonly caddy?: Contestant;
}

interface Servers extends AsyncDisposable {
  /** The requested domain. */
  readonly host: string;
  readonly contestants: Contestants & { readonly bare: Contestant };
  /** Why Caddy does not run. */
  readonly noCaddy: string | undefined;
}

type Contestant = Pick<Child, "cpuMicros"> & { readonly port: number };

async function startServers(bench: Bench, attached: Attached): Promise<Servers> {
  const { scratch } = bench;
  await using stack = new AsyncDisposableStack();
  const use = async (child: Promise<Child>): Promise<Contestant> => {
    const { url, cpuMicros } = stack.use(await child);
    return { port: Number(new URL(url).port), cpuMicros };
  };
  const host = attached.nameOf(1);
  const { httpsPort, cpuMicros } = stack.use(await startSecure("https", program, attached));
  const ours = { port: httpsPort, cpuMicros };
  const answer = await askFor(host, httpsPort);
  const issuerKey = await createPrivateKeyPem();
  const valid = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + DAY_MS };
  const { chainPem: cert, privateKeyPem: key } = await certificateFor(host, issuerKey, valid);
  const file = join(scratch, "https.json");
  await Bun.write(file, JSON.stringify({ answer, cert, key }));
  const bare = await use(
    startServer({
      name: "bare http2",
      scratch,
      secure: true,
      command: (port) => [process.execPath, BARE, String(port), file],
    }),
  );
  const noCaddy = await goPeerMissing(goCaddy, bench);
  // The smoke test is content with an older one.
  const command = noCaddy === undefined ? goCaddy.file : bench.installs ? null : Bun.which("caddy");
  const plan = { host, answer, cert, key };
  const caddy = command === null ? undefined : await use(startCaddy(bench, command, plan));
  const started = stack.move();
  return {
    host,
    contestants: { ours, bare, ...(caddy === undefined ? {} : { caddy }) },
    noCaddy,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function askFor(host: string, port: number): Promise<Recorded> {
  const tls = { rejectUnauthorized: false, serverName: host };
  // Uncompressed: `fetch` would request compression, and `h2load` does not.
  const headers = { host, "accept-encoding": "identity" };
  return record(await fetch(`https://127.0.0.1:${port}/`, { headers, tls }));
}

interface CaddyPlan {
  readonly host: string;
  readonly answer: Recorded;
  readonly cert: string;
  readonly key: string;
}

/** With a fixed response, no log and no automatic features. */
async function startCaddy({ scratch }: Bench, caddy: string, plan: CaddyPlan): Promise<Child> {
  const file = (name: string): string => join(scratch, `caddy.${name}`);
  await Bun.write(file("crt"), plan.cert);
  await Bun.write(file("key"), plan.key);
  const { status, body } = plan.answer;
  const headers = Object.entries(plan.answer.headers).map(([name, value]) => [name, [value]]);
  const answered = { handler: "static_response", status_code: status, body };
  const route = { handle: [{ ...answered, headers: Object.fromEntries(headers) as unknown }] };
  return startServer({
    name: "caddy",
    scratch,
    secure: true,
    // Caddy needs a home directory.
    env: { HOME: scratch, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch },
    command: (port) => {
      const server = {
        listen: [`127.0.0.1:${port}`],
        routes: [route],
        tls_connection_policies: [{ default_sni: plan.host }],
        automatic_https: { disable: true },
        protocols: ["h1", "h2"],
      };
      const certificates = { load_files: [{ certificate: file("crt"), key: file("key") }] };
      const apps = { http: { servers: { bench: server } }, tls: { certificates } };
      const configuration = { admin: { disabled: true }, logging: QUIET, apps };
      writeFileSync(file("json"), JSON.stringify(configuration));
      return [caddy, "run", "--config", file("json")];
    },
  });
}

const QUIET = { logs: { default: { level: "ERROR" } } };
