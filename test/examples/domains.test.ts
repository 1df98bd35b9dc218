import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { freePorts } from "../helpers/free-ports.ts";
import { endHost, startProgram } from "../helpers/process.ts";
import { folders } from "../helpers/folders.ts";

const { folder: scratch } = folders();

const ROOT = join(import.meta.dir, "../..");
const dying = Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];
/** The files of the package's entry points in this repository. */
const SOURCES: Readonly<Record<string, string>> = {
  petstore: "lib/index.ts",
  "petstore/domains": "domains/index.ts",
  "petstore/node": "adapters/hosts/node.ts",
  "petstore/stores/node-sqlite": "adapters/sqlite/node.ts",
};

test("examples/domains-node serves HTTPS for its own host and refuses other handshakes", async () => {
  const directory = await scratch();
  const text = await Bun.file(join(ROOT, "examples/domains-node/main.js")).text();
  const linked = text.replace(/from "(petstore[^"]*)"/g, (whole, name: string) => {
    const source = SOURCES[name];
    return source === undefined ? whole : `from ${JSON.stringify(join(ROOT, source))}`;
  });
  await writeFile(join(directory, "main.mjs"), linked);
  const [plain = 0, secure = 0] = await freePorts(2);
  const child = Bun.spawn([...dying, process.execPath, join(directory, "main.mjs")], {
    cwd: directory,
    env: { ...process.env, PORT: String(plain), HTTPS_PORT: String(secure) },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const errors = new Response(child.stderr).text();
  try {
    const answer = await eventually(() => unverified(`https://localhost:${secure}/v1/pets`));
    expect(answer.status).toBe(401);
    expect((await fetch(`http://localhost:${plain}/v1/pets`)).status).toBe(401);
    const challenge = `http://localhost:${plain}/.well-known/acme-challenge/abc`;
    expect(await (await fetch(challenge)).text()).toBe("There is no such challenge.\n");
    await expect(unverified(`https://127.0.0.1:${secure}/v1/pets`)).rejects.toThrow();
  } finally {
    await endHost(child, errors);
  }
});

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

function unverified(url: string): Promise<Response> {
  return fetch(url, { tls: { rejectUnauthorized: false } });
}

/** Retries until a server responds, at most a minute. */
async function eventually(ask: () => Promise<Response>): Promise<Response> {
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
