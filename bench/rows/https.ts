import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPrivateKeyPem } from "../../domains/acme/keys.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { ensureTools } from "../../scripts/debian.ts";
import { certificateFor, type Attached } from "../attached.ts";
import { startServer, type Child } from "../child.ts";
import { alternate } from "../compare.ts";
import { httpsRequests, type HttpsLoad } from "../load-https.ts";
import { program } from "../program.ts";
import { record, sameAnswer, type Recorded } from "../recorded.ts";
import { atLeast, figure, type Bench, type Figure, type Gap, type Row } from "../row.ts";
import { processorSeconds, startSecure } from "../secure.ts";

/** Row 8: HTTPS for thousands of names, compared with a bare server and with Caddy, each with one certificate. */
export const https: Row = {
  name: "https",

  measure: async (bench) => {
    const missing = await ensureTools([H2LOAD]);
    if (missing !== undefined) return [gap(missing)];
    const noCaddy = await ensureTools([CADDY]);
    const attached = await bench.attached(NAMES);
    await using servers = await startServers(bench, attached);
    const lines: (Figure | Gap)[] = noCaddy === undefined ? [] : [gap(noCaddy)];
    for (const { name, goal, ...load } of loads) {
      bench.say(`row 8: ${name}`);
      const perProcessorSecond = ({ port, pid }: Contestant) => {
        const { host } = servers;
        return async (): Promise<number> => {
          const before = await processorSeconds(pid);
          const requests = await httpsRequests({ host, port, ...load, seconds: bench.seconds });
          return requests / ((await processorSeconds(pid)) - before);
        };
      };
      const { ours, bare, caddy } = servers.contestants;
      const contestants = {
        ours: perProcessorSecond(ours),
        bare: perProcessorSecond(bare),
        caddy: caddy === undefined ? () => Number.NaN : perProcessorSecond(caddy),
      };
      for (const contestant of Object.values(contestants)) await contestant();
      const rates = await alternate(bench.runs, contestants);
      const what = `${name}, ${NAMES.toLocaleString("en")} names, from source`;
      const shared = { row: 8, what, ours: rates.ours, unit: "req/s" } as const;
      const against = "bare node:http2 on Bun, one certificate";
      lines.push(figure({ ...shared, against, theirs: rates.bare }, atLeast(0.9)));
      if (caddy === undefined) continue;
      lines.push(figure({ ...shared, against: "Caddy", theirs: rates.caddy }, atLeast(goal)));
    }
    return lines;
  },

  smoke: async (bench) => {
    const attached = await bench.attached(FEW);
    await using servers = await startServers(bench, attached);
    const { host, contestants } = servers;
    const said = await askFor(host, contestants.ours.port);
    if (said.status !== 200) throw new Error(`${host} is answered with ${said.status}`);
    sameAnswer(said, await askFor(host, contestants.bare.port));
    if (contestants.caddy === undefined) return [gap("Caddy is not installed")];
    const theirs = await askFor(host, contestants.caddy.port);
    // It adds its own Server header.
    const { server: _server, ...headers } = theirs.headers;
    sameAnswer(said, { ...theirs, headers });
    return [];
  },
};

/** Requests with a cookie are never answered by kept responses. */
const loads: readonly (Pick<HttpsLoad, "protocol" | "fields"> & {
  readonly name: string;
  /** Compared with Caddy. */
  readonly goal: number;
})[] = [
  { name: "HTTP/1.1 over TLS", protocol: "HTTP/1.1", fields: ["cookie: a=b"], goal: 1.2 },
  { name: "HTTP/1.1 over TLS, a kept page", protocol: "HTTP/1.1", goal: 1.8 },
  { name: "HTTP/2 over TLS", protocol: "HTTP/2", goal: 3 },
];

const NAMES = 10_000;
const FEW = 20;
const H2LOAD = { command: "h2load", debianPackage: "nghttp2-client" };
const CADDY = { command: "caddy", debianPackage: "caddy" };
const BARE = join(import.meta.dir, "../servers/bare-http2.ts");

function gap(reason: string): Gap {
  return { row: 8, what: "HTTPS", reason };
}

interface Servers extends AsyncDisposable {
  /** The requested domain. */
  readonly host: string;
  readonly contestants: {
    readonly ours: Contestant;
    readonly bare: Contestant;
    readonly caddy?: Contestant;
  };
}

interface Contestant {
  readonly port: number;
  readonly pid: number;
}

async function startServers(bench: Bench, attached: Attached): Promise<Servers> {
  const { scratch } = bench;
  await using stack = new AsyncDisposableStack();
  const use = async (child: Promise<Child>): Promise<Contestant> => {
    const { url, pid } = stack.use(await child);
    return { port: Number(new URL(url).port), pid };
  };
  const host = attached.nameOf(1);
  const { httpsPort, pid } = stack.use(await startSecure("https", program, attached));
  const ours = { port: httpsPort, pid };
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
  const hasCaddy = Bun.which(CADDY.command) !== null;
  const caddy = hasCaddy ? await use(startCaddy(bench, { host, answer, cert, key })) : undefined;
  const started = stack.move();
  return {
    host,
    contestants: { ours, bare, ...(caddy === undefined ? {} : { caddy }) },
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
async function startCaddy({ scratch }: Bench, plan: CaddyPlan): Promise<Child> {
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
      return [CADDY.command, "run", "--config", file("json")];
    },
  });
}

const QUIET = { logs: { default: { level: "ERROR" } } };
