import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "node:tls";

import { startSandbox, type Sandbox } from "../../testing/domains/index.ts";
import { freePorts } from "../helpers/free-ports.ts";
import { hostsWithPackage } from "../helpers/nested.ts";
import { pebbleMissing, startPebble, type Pebble } from "../helpers/pebble.ts";
import { endHost, startProgram } from "../helpers/process.ts";
import { folders } from "../helpers/folders.ts";
import { longTest } from "../helpers/long.ts";

const { folder: scratch } = folders();

const ROOT = join(import.meta.dir, "../..");
const HOSTS = join(ROOT, "test/node/project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");
const dying = Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

const lacking = pebbleMissing ?? (await hostsWithPackage());
const files = ["main.js", "express.js", "fastify.js"];

for (const file of files) {
  test(`examples/domains-node/${file} has at most 60 lines`, async () => {
    const text = await Bun.file(join(ROOT, "examples/domains-node", file)).text();
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
  });
}

// Each host has an address, since Pebble visits all names at the same port.
describe.skipIf(lacking !== undefined)(
  `examples/domains-node with Pebble (${lacking ?? "everything is installed"})`,
  () => {
    const copy = join(HOSTS, "node_modules/.examples/domains-node");
    let [http, https] = [0, 0];
    let sandbox: Sandbox;
    let pebble: Pebble;
    beforeAll(async () => {
      [http = 0, https = 0] = await freePorts(2);
      sandbox = await startSandbox({
        httpPort: http,
        zones: {
          "shelter.test": "",
          ...Object.fromEntries(
            files.map((_, index) => [
              `shop${index}.test`,
              `@ A ${addressOf(index)}\n*.cname A ${addressOf(index)}`,
            ]),
          ),
        },
      });
      const { address, port } = sandbox.resolver;
      const dnsServer = `${address}:${port}`;
      pebble = await startPebble({ httpPort: http, tlsPort: https, dnsServer, refusedNonces: 0 });
      await mkdir(copy, { recursive: true });
      await cp(join(ROOT, "examples/domains-node"), copy, { recursive: true });
      await writeFile(join(copy, "listener.pem"), pebble.listenerCertificate);
    });
    afterAll(async () => {
      await pebble?.[Symbol.asyncDispose]();
      await sandbox?.close();
    });

    const records = new Map<string, string>();

    for (const [index, file] of files.entries()) {
      test(`${file} serves a domain of a tenant, and stops to serve a removed one`, async () => {
        const at = addressOf(index);
        const domain = `pets${index}.shelter.test`;
        const { address, port } = sandbox.resolver;
        const child = Bun.spawn([...dying, NODE, join(copy, file)], {
          cwd: await scratch(),
          env: {
            ...process.env,
            ADMIN_TOKEN: "secret",
            ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
            SHOP_DOMAIN: `shop${index}.test`,
            LISTEN: at,
            PORT: String(http),
            HTTPS_PORT: String(https),
            PUBLIC_PORT: String(http),
            PUBLIC_HTTPS_PORT: String(https),
            DNS_SERVER: `${address}:${port}`,
            NAME_SERVER_PORT: String(port),
            PRIVATE_NETWORKS: "1",
            ACME_DIRECTORY: pebble.directoryUrl,
            ACME_CA_FILE: join(copy, "listener.pem"),
          },
          stdio: ["ignore", "ignore", "pipe"],
        });
        const errors = new Response(child.stderr).text();
        const ca = await pebble.root();
        const visit = (path: string, init: RequestInit = {}): Promise<Response> =>
          fetch(`https://${at}:${https}${path}`, {
            ...init,
            headers: { host: `${domain}:${https}`, connection: "close" },
            tls: { ca, serverName: domain },
          });
        const admin = async (method: string): Promise<Shown> => {
          const url = `http://${at}:${http}/admin/domains?tenant=tenant-1&domain=${domain}`;
          const headers = { authorization: "Bearer secret" };
          const answer = await fetch(url, { method, headers });
          const text = await answer.text();
          expect([answer.status, text]).toEqual([200, expect.anything()]);
          return JSON.parse(text);
        };
        try {
          const plain = `http://${at}:${http}`;
          const unknown = await eventually(() => fetch(`${plain}/v1/pets`));
          expect(unknown.status).toBe(401);
          expect((await fetch(`${plain}/admin/domains`)).status).toBe(401);
          const challenge = `${plain}/.well-known/acme-challenge/abc`;
          expect(await (await fetch(challenge)).text()).toBe("There is no such challenge.\n");
          await expect(visit("/")).rejects.toThrow();

          const [routing] = (await admin("POST")).records;
          expect([routing?.name, routing?.type]).toEqual([`pets${index}`, "CNAME"]);
          records.set(domain, `pets${index} CNAME ${routing?.value}`);
          sandbox.setZone("shelter.test", [...records.values()].join("\n"));
          await admin("PUT");
          await eventually(async () => expect((await admin("GET")).status).toBe("live"));

          const page = await visit("/");
          expect(await page.text()).toContain("<h1>Happy Cats</h1>");
          expect((await visit("/v1/pets")).status).toBe(401);
          const headers = { host: `${domain}:${http}` };
          const redirect = await fetch(`${plain}/a?b=c`, { headers, redirect: "manual" });
          expect([redirect.status, redirect.headers.get("location")]).toEqual([
            308,
            `https://${domain}:${https}/a?b=c`,
          ]);
          expect((await fetch(`${plain}/v1/pets`, { headers })).status).toBe(403);

          const kept = await openConnection(at, https, domain, ca);
          await admin("DELETE");
          await kept.closed;
          await expect(visit("/")).rejects.toThrow();
        } finally {
          await endHost(child, errors);
        }
        expect([child.exitCode, await errors]).toEqual([0, ""]);
      });
    }
  },
);

// It takes a second only, but the hosts above do the same with another CA.
longTest.skipIf(lacking !== undefined)(
  "examples/domains-node/try.js brings a domain live with its own name server and CA",
  async () => {
    const folder = join(HOSTS, "node_modules/.examples/try");
    await mkdir(folder, { recursive: true });
    await cp(join(ROOT, "examples/domains-node"), folder, { recursive: true });
    const [http = 0, https = 0] = await freePorts(2);
    const child = Bun.spawn([...dying, NODE, "try.js"], {
      cwd: folder,
      env: { ...process.env, PORT: String(http), HTTPS_PORT: String(https) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const errors = new Response(child.stderr).text();
    const admin = async (method: string): Promise<Shown> => {
      const url = `http://127.0.0.1:${http}/admin/domains?tenant=tenant-1&domain=pets.shelter.test`;
      return (await fetch(url, { method, headers: { authorization: "Bearer try" } })).json();
    };
    try {
      const { records } = await eventually(() => admin("POST"));
      await writeFile(join(folder, "zone.txt"), `pets CNAME ${records[0]?.value}\n`);
      await eventually(async () => expect((await admin("PUT")).status).toMatch(/issuing|live/));
      await eventually(async () => expect((await admin("GET")).status).toBe("live"));
      const ca = await Bun.file(join(folder, "root.pem")).text();
      const page = await fetch(`https://127.0.0.1:${https}/`, {
        headers: { host: `pets.shelter.test:${https}` },
        tls: { ca, serverName: "pets.shelter.test" },
      });
      expect(await page.text()).toContain("<h1>Happy Cats</h1>");
    } finally {
      await endHost(child, errors);
    }
    expect([child.exitCode, await errors]).toEqual([0, ""]);
  },
);

interface Shown {
  readonly status: string;
  readonly records: readonly {
    readonly name: string;
    readonly type: string;
    readonly value: string;
  }[];
}

function addressOf(index: number): string {
  return `127.0.0.${index + 1}`;
}

/** Opens a connection for a name, and resolves when the handshake is done. */
async function openConnection(
  host: string,
  port: number,
  servername: string,
  ca: string,
): Promise<{ readonly closed: Promise<void> }> {
  const socket = connect({ host, port, servername, ca });
  socket.on("error", () => undefined);
  // Unread, it would never notice its end.
  socket.resume();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
  });
  return { closed };
}

const caddyMissing = Bun.which("caddy") === null ? "needs the Debian package caddy" : undefined;

test.skipIf(caddyMissing !== undefined)(
  `examples/domains-caddy gets certificates for permitted hosts (${caddyMissing ?? "Caddy is installed"})`,
  async () => {
    const directory = await scratch();
    const [metrics = 0, secure = 0] = await freePorts(2);
    await using program = await startProgram({
      args: [
        "--base-domain=petstore.example",
        `--metrics-listen=127.0.0.1:${metrics}`,
        "--trusted-proxies=127.0.0.1/32",
      ],
    });
    const text = await Bun.file(join(ROOT, "examples/domains-caddy/Caddyfile")).text();
    const here = text
      .replaceAll("127.0.0.1:9090", `127.0.0.1:${metrics}`)
      .replaceAll("127.0.0.1:8080", new URL(program.origin).host)
      .replace("https:// {", `https://:${secure} {\n\tbind 127.0.0.1`)
      // A separate CA without any other features.
      .replace(
        "{\n\ton_demand_tls",
        "{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tauto_https disable_redirects\n\ton_demand_tls",
      );
    await writeFile(join(directory, "Caddyfile"), here);
    const caddy = ["caddy", "run", "--config", join(directory, "Caddyfile")];
    const home = { HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory };
    const child = Bun.spawn([...dying, ...caddy, "--adapter", "caddyfile"], {
      env: { ...process.env, ...home },
      stdio: ["ignore", "ignore", "ignore"],
    });
    try {
      const ask = (host: string): Promise<Response> =>
        fetch(`https://127.0.0.1:${secure}/v1/pets`, {
          headers: { host },
          tls: { rejectUnauthorized: false, serverName: host },
        });
      expect((await eventually(() => ask("petstore.example"))).status).toBe(401);
      await expect(ask("stranger.example")).rejects.toThrow();
    } finally {
      child.kill();
      await child.exited;
    }
  },
);

/** Retries until it succeeds, at most a minute. */
async function eventually<Value>(ask: () => Promise<Value>): Promise<Value> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until) throw error;
      await Bun.sleep(50);
    }
  }
}
