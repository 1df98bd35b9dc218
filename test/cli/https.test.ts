import { expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { presentedFor } from "../helpers/presented.ts";
import type { Program } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

const HTTPS = ["--listen-https=127.0.0.1:0", "--acme=internal"];

/** Resolves with the HTTPS address in the log, or with what `pattern` captures. */
async function originOf(
  program: Program,
  line: RegExp = /listening on (https:\/\/[^\s"]+)"/,
): Promise<URL> {
  const said = await eventually(
    async () => line.exec(program.output())?.[1],
    (origin) => origin !== undefined,
  );
  if (said === undefined) throw new Error(`not said:\n${program.output()}`);
  return new URL(said);
}

interface Fetched {
  readonly exitCode: number;
  readonly version: string;
  readonly status: number;
  readonly body: string;
}

/** Sends a request with curl, which trusts only the roots in that file. */
async function ask(
  { port }: URL,
  host: string,
  path: string,
  root: string,
  ...options: readonly string[]
): Promise<Fetched> {
  const child = Bun.spawn(
    ["curl", "-sS", "--max-time", "10", "--cacert", root, "-w", "\n%{http_version} %{http_code}"]
      .concat(["--resolve", `${host}:${port}:127.0.0.1`, ...options])
      .concat(`https://${host}:${port}${path}`),
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const [stdout, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  const end = stdout.lastIndexOf("\n");
  const [version = "", status = "0"] = stdout.slice(end + 1).split(" ");
  return { exitCode, version, status: Number(status), body: stdout.slice(0, end) };
}

/** Polls for up to a minute, because certificates are created in the background. */
async function eventually<Value>(
  look: () => Promise<Value>,
  holds: (value: Value) => boolean,
): Promise<Value> {
  const startedAt = performance.now();
  for (;;) {
    const value = await look();
    const waitedMs = performance.now() - startedAt;
    if (holds(value) || waitedMs > 60_000) return value;
    // Each look starts a process.
    await Bun.sleep(50 + waitedMs / 5);
  }
}

// Concurrent, because both wait for a server to check its files, which it does every five seconds.
test.concurrent("with the internal CA a laptop's hosts have HTTPS, with the same root after a restart", async () => {
  const here = await installation();
  const root = here.path("internal-ca.crt");
  const first = await here.serve(...HTTPS);
  const before = await originOf(first);
  const signedOut = await eventually(
    () => ask(before, "localhost", "/v1/pets", root, "--http2"),
    ({ exitCode }) => exitCode === 0,
  );
  expect([signedOut.exitCode, signedOut.version, signedOut.status]).toEqual([0, "2", 401]);
  expect((await ask(before, "stranger.test", "/", root)).exitCode).toBe(35);
  const account = await here.json<{ id: string }>("accounts", "create", "A");
  const project = ["projects", "create", "Site", "--account", account.id];
  const { slug } = await here.json<{ slug: string }>(...project);
  const site = `${slug}.localhost`;
  expect((await ask(before, site, "/", root)).exitCode).toBe(35);
  await here.json("deploy", "--starter", "--project", slug);
  const shown = await eventually(
    () => ask(before, site, "/", root),
    ({ exitCode }) => exitCode === 0,
  );
  expect([shown.exitCode, shown.status]).toEqual([0, 200]);
  const trusted = await readFile(root, "utf8");
  expect(await first.end()).toBe(0);

  const second = await here.serve(...HTTPS);
  const after = await originOf(second);
  const again = await eventually(
    () => ask(after, site, "/", root),
    ({ exitCode }) => exitCode === 0,
  );
  expect(again.status).toBe(200);
  expect(await readFile(root, "utf8")).toBe(trusted);
  await second.end();
});

test.concurrent("the operator's certificate is presented for our own hosts, and a renewed one as soon as its file changes", async () => {
  const here = await installation();
  const directory = await scratch();
  const [cert, key] = [join(directory, "c.pem"), join(directory, "k.pem")];
  const write = async (id: string): Promise<void> => {
    const made = await presentedFor(id, "pets.example", "*.pets.example", "pets.shelter.org");
    await writeFile(key, made.privateKeyPem);
    await writeFile(cert, made.chainPem);
  };
  await write("first");
  const files = [`--tls-cert-file=${cert}`, `--tls-key-file=${key}`, "--base-domain=pets.example"];
  await using program = await here.serve("--listen-https=127.0.0.1:0", ...files);
  const origin = await originOf(program);
  expect((await ask(origin, "pets.example", "/v1/pets", cert)).status).toBe(401);
  expect((await ask(origin, "staging.pets.example", "/v1/pets", cert)).status).toBe(401);
  // The certificate covers this name, but no project has it.
  expect((await ask(origin, "pets.shelter.org", "/", cert)).exitCode).toBe(35);
  await write("second");
  const renewed = await eventually(
    () => ask(origin, "pets.example", "/v1/pets", cert),
    ({ exitCode }) => exitCode === 0,
  );
  expect(renewed.status).toBe(401);
});

test("Staging by port accepts plain HTTP while Production requires HTTPS", async () => {
  const here = await installation();
  await using program = await here.serve(...HTTPS);
  const root = here.path("internal-ca.crt");
  const origin = await originOf(program);
  await eventually(
    () => ask(origin, "localhost", "/livez", root),
    ({ exitCode }) => exitCode === 0,
  );
  const staging = await originOf(program, /listening on (http:[^\s"]+)","environment":"staging"/);
  expect((await fetch(`http://localhost:${staging.port}/v1/pets`)).status).toBe(401);
  const { port } = new URL(program.origin);
  expect((await fetch(`http://localhost:${port}/v1/pets`)).status).toBe(403);
  expect((await fetch(`http://127.0.0.1:${port}/v1/pets`)).status).toBe(401);
});

test("without HTTPS no internal CA is created", async () => {
  const here = await installation();
  await using _program = await here.serve();
  expect(await Bun.file(here.path("internal-ca.crt")).exists()).toBe(false);
});

test("the key file of the internal CA is encrypted and readable by its owner only", async () => {
  const here = await installation();
  await using program = await here.serve(...HTTPS);
  const key = await stat(here.path("internal-ca.key"));
  expect((key.mode & 0o777).toString(8)).toBe("600");
  expect(await readFile(here.path("internal-ca.key"), "utf8")).toMatch(/^v1\.[\w-]+\n$/);
  expect(program.output()).not.toContain("PRIVATE");
});

test("a private key that does not match the certificate fails the start with the option's name", async () => {
  const here = await installation();
  const directory = await scratch();
  const [cert, key] = [join(directory, "c.pem"), join(directory, "k.pem")];
  await writeFile(cert, (await presentedFor("a", "pets.example")).chainPem);
  await writeFile(key, (await presentedFor("b", "pets.example")).privateKeyPem);
  const files = ["--tls-cert-file", cert, "--tls-key-file", key];
  const listen = ["--listen", "127.0.0.1:0", "--listen-https", "127.0.0.1:0"];
  const { exitCode, stderr } = await here.run("serve", ...listen, ...files);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("tls-key-file: ");
});

test("a draining service still serves new requests over HTTP/1.1 and HTTP/2, then refuses connections", async () => {
  const here = await installation();
  const root = here.path("internal-ca.crt");
  await using program = await here.serve(...HTTPS);
  const origin = await originOf(program);
  const fetchBy = (version: string) => ask(origin, "localhost", "/v1/openapi.json", root, version);
  await eventually(
    () => fetchBy("--http2"),
    ({ exitCode }) => exitCode === 0,
  );
  const ended = program.end("SIGTERM");
  const [overHttp2, overHttp1] = await Promise.all([fetchBy("--http2"), fetchBy("--http1.1")]);
  expect([overHttp2.status, overHttp2.version]).toEqual([200, "2"]);
  expect([overHttp1.status, overHttp1.version]).toEqual([200, "1.1"]);
  expect(await ended).toBe(0);
  expect((await fetchBy("--http1.1")).exitCode).toBe(7);
});

test("the metrics listener tells a local proxy which names may get a certificate", async () => {
  const here = await installation();
  await using program = await here.serve(
    "--base-domain=pets.example",
    "--metrics-listen=127.0.0.1:0",
  );
  const metrics = await originOf(program, /listening on (http:[^\s"]+)","environment":"metrics"/);
  const permission = async (domain: string): Promise<number> => {
    const url = new URL(`/_petstore/tls-permission?domain=${domain}`, metrics);
    return (await fetch(url)).status;
  };
  expect(await permission("pets.example")).toBe(200);
  expect(await permission("staging.pets.example")).toBe(200);
  for (const stranger of ["pets.shelter.org", "a.b.pets.example", "", "%00"]) {
    expect(await permission(stranger)).toBe(404);
  }
});
