import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { api } from "../helpers/api.ts";
import { freePort } from "../helpers/free-ports.ts";
import { timeUntil } from "../helpers/nodes.ts";
import { runProgram, startProgram, type Program } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

/** Resolves with the origin of a listener once the log contains it. */
async function listeningOn(server: Program, listener: "staging" | "metrics"): Promise<string> {
  const line = new RegExp(`listening on ([^"]+)","environment":"${listener}"`);
  for (;;) {
    const origin = line.exec(server.output())?.[1];
    if (origin !== undefined) return origin;
    await Bun.sleep(5);
  }
}

test("a first start without a terminal creates the data directory but no account, and logs the next commands", async () => {
  const here = await installation();
  await using server = await here.serve();
  expect((await stat(here.dataDir)).mode & 0o777).toBe(0o700);
  for (const name of ["petstore.db", "petstore.sock", "petstore.lock", "encryption.key"]) {
    expect([name, (await stat(here.path(name))).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect(await here.json<unknown[]>("accounts", "list")).toEqual([]);
  await server.end();
  expect(server.output()).toContain("accounts create");
  expect(server.output()).toContain("keys create --account ACCOUNT --environment staging");
  expect(server.output()).not.toContain("pet_test_");
});

test("both environments answer, and Staging has its own host and port", async () => {
  const here = await installation();
  await using server = await here.serve();
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  const key = await here.json<{ key: string }>(
    "keys",
    "create",
    "--account",
    id,
    "--environment",
    "staging",
  );
  const live = api({ base: server.origin, key: key.key });
  const stagingOrigin = await listeningOn(server, "staging");
  const staging = api({ base: stagingOrigin, key: key.key });
  expect((await live.get<{ code: string }>("/v1/pets")).body.code).toBe("wrong_environment");
  expect((await staging.get("/v1/pets")).status).toBe(200);
  const { port } = new URL(server.origin);
  const headers = { host: `staging.localhost:${port}` };
  expect((await live.get("/v1/pets", { headers })).status).toBe(200);
  const described = await live.get<{ servers: { url: string }[] }>("/v1/openapi.json");
  expect(described.body.servers.map(({ url }) => url)).toEqual([
    `http://localhost:${port}/v1`,
    `http://localhost:${new URL(stagingOrigin).port}/v1`,
  ]);
});

test("a body over the limit is refused by the service's own response, not the runtime's", async () => {
  const here = await installation();
  await using server = await here.serve();
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
  const answer = await api({ base: server.origin, key }).post<{ code: string }>("/v1/pets", {
    name: "x".repeat(1_000_000),
  });
  expect([answer.status, answer.body.code]).toEqual([413, "payload_too_large"]);
  expect(answer.headers.get("x-ratelimit-remaining")).toBe("59");
});

test("a second server on the same data directory is refused with the ID of the running process", async () => {
  const here = await installation();
  await using server = await here.serve();
  const second = await runProgram(["serve", "--listen", ":0", "--data-dir", here.dataDir]);
  expect(second.exitCode).toBe(3);
  expect(second.stderr).toContain(here.dataDir);
  expect(second.stderr).toContain(`process ${server.pid}`);
});

test("a lock and a socket left by a killed server do not prevent the next start", async () => {
  const here = await installation();
  const first = await here.serve();
  await here.json("accounts", "create", "Kept");
  await first.end("SIGKILL");
  expect(await Bun.file(here.path("petstore.lock")).exists()).toBe(true);
  expect(await here.json<unknown[]>("accounts", "list")).toHaveLength(1);
  await using second = await here.serve();
  expect(second.pid).not.toBe(first.pid);
  expect(await here.json<unknown[]>("accounts", "list")).toHaveLength(1);
});

test("a data directory whose path is longer than a socket's path may be works", async () => {
  const here = await installation(join(await scratch(), "a".repeat(100), "b".repeat(60)));
  await using server = await here.serve();
  expect(await here.json<object>("accounts", "create", "A")).toMatchObject({ name: "A" });
  expect((await here.run("doctor")).stdout).toContain(`Process ${server.pid}`);
});

/** Sends raw bytes; resolves with the status line of the response. */
async function statusLine(origin: string, head: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_socket, chunk) => resolve(chunk.toString().split("\r\n", 1)[0] ?? ""),
      close: () => reject(new Error("closed without an answer")),
    },
  });
  socket.write(`${head}\r\n\r\n`);
  const line = await promise;
  socket.end();
  return line;
}

test("a request without a host can read /livez, and reaches the API if any host does", async () => {
  const here = await installation();
  await using server = await here.serve();
  expect(await statusLine(server.origin, "GET /livez HTTP/1.0")).toContain(" 200 ");
  expect(await statusLine(server.origin, "GET /readyz?a=/b HTTP/1.0")).toContain(" 200 ");
  expect(await statusLine(server.origin, "GET /v1/openapi.json HTTP/1.0")).toContain(" 200 ");
  expect(await statusLine(server.origin, "GET //v1/openapi.json HTTP/1.0")).toContain(" 404 ");
});

test("a request with an invalid host is 400, whatever its path", async () => {
  const here = await installation();
  await using server = await here.serve();
  for (const path of ["/livez", "/readyz?a=/b", "/v1/openapi.json"]) {
    for (const host of ["a@b", ""]) {
      // RFC 9112 §3.2, and RFC 9110 §4.2.1 for an empty host.
      const line = await statusLine(server.origin, `GET ${path} HTTP/1.1\r\nHost: ${host}`);
      expect(line).toContain(" 400 ");
    }
  }
});

test("a request without a host does not reach the API if only certain hosts do", async () => {
  const here = await installation();
  await using server = await here.serve("--base-domain", "pets.example.org");
  expect(await statusLine(server.origin, "GET /livez HTTP/1.0")).toContain(" 200 ");
  expect(await statusLine(server.origin, "GET /v1/openapi.json HTTP/1.0")).toContain(" 404 ");
});

test("a port in use fails the start with the port and the option's name", async () => {
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = String(taken.port);
  const here = await installation();
  for (const option of ["listen", "staging-listen", "metrics-listen"]) {
    const free = option === "listen" ? [] : ["--listen", "127.0.0.1:0"];
    const { exitCode, stderr } = await here.run(
      "serve",
      ...free,
      `--${option}`,
      `127.0.0.1:${port}`,
    );
    expect([option, exitCode]).toEqual([option, 3]);
    expect(stderr).toContain(`Port ${port} is in use`);
    expect(stderr).toContain(`--${option}`);
  }
  await taken.stop(true);
});

test("a port used by another installation fails the start", async () => {
  const [first, second] = await Promise.all([installation(), installation()]);
  await using server = await first.serve();
  const { host, port } = new URL(server.origin);
  const { exitCode, stderr } = await second.run("serve", "--listen", host);
  expect(stderr).toContain(`Port ${port} is in use`);
  expect(exitCode).toBe(3);
});

test("listening on an address that this machine does not have fails the start", async () => {
  const here = await installation();
  const { exitCode, stderr } = await here.run("serve", "--listen", "192.0.2.1:0");
  expect(exitCode).toBe(3);
  expect(stderr).toContain("does not have that address");
});

test("a data directory below a file is refused with a message", async () => {
  const file = join(await scratch(), "file");
  await writeFile(file, "");
  const { exitCode, stderr } = await runProgram(["serve", "--data-dir", join(file, "data")]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("cannot be used: a part of the path is not a directory");
});

test("a data directory that is a file is refused with a message", async () => {
  const file = join(await scratch(), "file");
  await writeFile(file, "");
  const { exitCode, stderr } = await runProgram(["serve", "--data-dir", file]);
  expect(exitCode).toBe(3);
  expect(stderr).toBe(`petstore: ${file} is not a directory.\n`);
});

test("an unwritable path is refused", async () => {
  const { exitCode, stderr } = await runProgram(["serve", "--data-dir", "/proc/petstore-data"]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("The data directory /proc/petstore-data cannot be used");
});

test("a database of a newer version is refused and not changed", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  const database = new Database(here.path("petstore.db"));
  database.exec(
    "INSERT INTO petstore_migrations (component, version, applied_at) VALUES ('petstore', 9999, 0)",
  );
  database.close();
  for (const command of [
    ["serve", "--listen", ":0"],
    ["accounts", "list"],
  ]) {
    const { exitCode, stderr } = await here.run(...command);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("9999");
    expect(stderr).toContain("newer");
  }
});

test("an encryption key that does not match the installation is refused", async () => {
  const here = await installation();
  await here.json("accounts", "create", "A");
  const env = { PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("hex") };
  const { exitCode, stderr } = await runProgram(
    ["serve", "--listen", ":0", "--data-dir", here.dataDir],
    { env },
  );
  expect(exitCode).toBe(3);
  expect(stderr).toContain("is not the key of this database");
});

test("the automatic Staging port avoids ports named in the options", async () => {
  const here = await installation();
  // Staging searches for a free port after the port of `listen`.
  const port = await freePort("127.0.0.1", 3);
  const named = ["--listen-https", `127.0.0.1:${port + 1}`, "--acme", "internal"];
  const metrics = ["--metrics-listen", `127.0.0.1:${port + 2}`];
  await using server = await startProgram({
    dataDir: here.dataDir,
    listen: `127.0.0.1:${port}`,
    args: [...named, ...metrics],
  });
  const staging = Number(new URL(await listeningOn(server, "staging")).port);
  expect(staging).toBeGreaterThan(port + 2);
});

test("--json writes one document with the addresses", async () => {
  const here = await installation();
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "../../server.ts"),
      "serve",
      "--json",
      "--listen",
      "127.0.0.1:0",
      "--data-dir",
      here.dataDir,
    ],
    { env: { PATH: process.env["PATH"] ?? "" }, stdio: ["ignore", "pipe", "ignore"] },
  );
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.endsWith("}\n")) child.kill();
  }
  const { addresses, pid, dataDir } = JSON.parse(text);
  expect([pid, dataDir]).toEqual([child.pid, here.dataDir]);
  expect(addresses.production).toStartWith("http://127.0.0.1:");
  expect(await child.exited).toBe(0);
});

test("at level debug every request is logged, without secrets", async () => {
  const here = await installation();
  const server = await here.serve("--log-level", "debug");
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
  const answer = await api({ base: server.origin, key }).get("/v1/pets");
  await server.end();
  const requestId = answer.headers.get("x-request-id") ?? "none";
  const line = server
    .output()
    .split("\n")
    .find((one) => one.includes(requestId));
  expect(JSON.parse(line ?? "")).toMatchObject({
    level: "debug",
    operation: "listPets",
    status: 200,
  });
  const secret = key.split("_")[3] ?? "";
  expect(secret).not.toBe("");
  expect(server.output()).not.toContain(secret);
});

test("metrics are served only on their own listener", async () => {
  const here = await installation();
  await using server = await here.serve("--metrics-listen", "127.0.0.1:0");
  const metrics = await listeningOn(server, "metrics");
  await api({ base: server.origin }).get("/v1/pets");
  const { status, text } = await api({ base: metrics }).get("/metrics");
  expect(status).toBe(200);
  expect(text).toContain(
    'petstore_requests_total{operation="listPets",method="GET",status="401"} 1',
  );
  expect((await api({ base: metrics }).get("/")).status).toBe(404);
  expect((await api({ base: server.origin }).get("/metrics")).status).toBe(404);
});

test("healthcheck finds the server by its data directory, whatever port the options name", async () => {
  const here = await installation();
  const elsewhere = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const other = `127.0.0.1:${elsewhere.port}`;
  const none = await here.run("healthcheck", "--listen", other);
  expect([none.exitCode, none.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^No server is running on \S+\. Start it with: .* serve --data-dir \S+\n$/,
    ),
  ]);
  await using server = await here.serve();
  expect((await here.run("healthcheck")).stderr).toBe("ready\n");
  await elsewhere.stop(true);
  // Its port is closed now: a check of that port would report "no answer".
  const ready = await here.run("healthcheck", "--listen", other);
  expect([ready.exitCode, ready.stderr]).toEqual([0, "ready\n"]);
  await server.end();
});

test("links in lists use the host and scheme that a trusted proxy forwards", async () => {
  await using server = await startProgram({ args: ["--trusted-proxies", "127.0.0.0/8"] });
  const headers = {
    "x-forwarded-proto": "https",
    "x-forwarded-host": "pets.example.org",
    "x-forwarded-for": "198.51.100.7",
  };
  const here = await installation(server.dataDir);
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  const { key } = await here.json<{ key: string }>("keys", "create", "--account", id);
  const { headers: answered } = await api({ base: server.origin, key }).get("/v1/pets", {
    headers,
  });
  expect(answered.get("link") ?? "").toContain("<https://pets.example.org/v1/pets");
});

test.each(['Promise.reject(new Error("lost"))', '(() => { throw new Error("lost"); })()'])(
  "an error that nothing handles is logged, the server serves on, and it does not exit with 0: %s",
  async (code) => {
    const path = join(await scratch(), "defect.ts");
    await writeFile(path, `process.on("SIGUSR2", () => void ${code});`);
    await using server = await startProgram({ env: { BUN_OPTIONS: `--preload=${path}` } });
    process.kill(server.pid, "SIGUSR2");
    await timeUntil(() => server.output().includes("nothing handled it"), 60_000);
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200);
    // The helper that every test uses refuses such a server.
    await expect(server.end()).rejects.toThrow(
      /ended with 1 and left an error unhandled:[^]*"level":"error","message":"an error occurred, and nothing handled it","error":\{"name":"Error","message":"lost"/,
    );
  },
);
