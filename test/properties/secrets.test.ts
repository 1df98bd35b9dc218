import { StoreUnavailable } from "../../lib/sql/sql.ts";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { base64url, deriveKey, hex, webDigest } from "../../lib/base/digest.ts";
import type { Log } from "../../lib/base/log.ts";
import { createPetstore } from "../../lib/petstore.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../testing/clock.ts";
import { fragile } from "../conformance/fault.ts";
import { START_MS } from "../conformance/in-process.ts";
import { operations, send } from "../conformance/operations.ts";
import { must } from "../conformance/shelter.ts";
import { api, type Api } from "../helpers/api.ts";
import { useExecutable } from "../helpers/executable.ts";

await useExecutable();
const { runProgram, startProgram } = await import("../helpers/process.ts");

/** Secrets that may appear only where they were issued. */
class Secrets {
  /** As Latin-1, because binary files are searched too. */
  readonly #known = new Map<string, string>();

  /** A text in its plain form. */
  add(name: string, text: string): void {
    this.#known.set(name, text);
  }

  /** A token, and its secret alone. */
  addToken(name: string, token: string): void {
    this.#known.set(name, token);
    this.#known.set(`${name}, the secret part`, token.slice(-38, -6));
  }

  /** Bytes, in every likely encoding. */
  addBytes(name: string, bytes: Uint8Array): void {
    const forms = {
      hex: hex(bytes),
      base64: Buffer.from(bytes).toString("base64").replace(/=+$/, ""),
      base64url: base64url(bytes),
      raw: Buffer.from(bytes).toString("latin1"),
    };
    for (const [form, text] of Object.entries(forms)) this.#known.set(`${name} in ${form}`, text);
  }

  get size(): number {
    return this.#known.size;
  }

  /** Returns those that appear in the text. */
  in(text: string): readonly string[] {
    const lower = text.toLowerCase();
    return [...this.#known]
      .filter(([name, secret]) =>
        name.endsWith("hex") ? lower.includes(secret) : text.includes(secret),
      )
      .map(([name]) => name);
  }
}

/** Uses a key in every way, valid and invalid; `heard` receives all responses. */
async function useEverything(
  service: Api,
  token: string,
  heard: (text: string) => void,
): Promise<void> {
  const listen = async (reply: ReturnType<Api["raw"]>): Promise<void> => {
    const { headers, text } = await reply;
    heard(`${JSON.stringify([...headers])}\n${text}`);
  };
  const caller = service.as(token);
  for (const operation of operations) {
    const sample = await operation.prepare(caller);
    await listen(send(caller, operation, sample, { "idempotency-key": "once" }));
    await listen(send(caller, operation, sample, { "idempotency-key": "once" }));
    await listen(send(service, operation, sample));
    await listen(send(caller, operation, { ...sample, path: `${sample.path}?api_key=${token}` }));
  }
  const mistyped = token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
  for (const authorization of [
    `Bearer ${mistyped}`,
    `Basic ${btoa(`${token}:`)}`,
    `Basic ${token}`,
    token,
    `Bearer ${token} ${token}`,
    `Bearer ${token.replace("live", "test")}`,
  ]) {
    await listen(service.raw("GET", "/v1/pets", { headers: { authorization } }));
  }
  await listen(service.get("/v1/pets", { headers: { "x-api-key": token } }));
  await listen(caller.get("/v1/pets", { headers: { accept: "text/html" } }));
  await listen(caller.get("/v1/pets?limit=0"));
  await listen(caller.raw("PUT", "/v1/pets"));
  await listen(service.get("/v1/openapi.json"));
  await listen(caller.post("/v1/pets", { name: "", categoryId: 0, colour: 1 }));
}

test("in process, no log line, event, report or response contains a secret", async () => {
  const secrets = new Secrets();
  const sinks = new Map<string, string[]>();
  const sink = (name: string): ((text: string) => void) => {
    const lines: string[] = [];
    sinks.set(name, lines);
    return (text) => lines.push(text);
  };
  const logged = sink("log");
  const note = (message: string, ...facts: readonly unknown[]): void => {
    logged(Bun.inspect([message, ...facts], { depth: 10 }));
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const reported = sink("reports");
  const encryptionKey = crypto.getRandomValues(new Uint8Array(32));
  const plain = memoryStore();
  const { store, fail, mend } = fragile(plain);
  const clock = manualClock(START_MS);
  const petstore = createPetstore({
    store,
    clock,
    log,
    encryptionKey,
    onAnswer: (answered) => reported(JSON.stringify(answered)),
  });
  const happened = sink("events");
  petstore.events.subscribe((event) => happened(JSON.stringify(event)));
  await petstore.jobs.tick();

  secrets.addBytes("the encryption key", encryptionKey);
  for (const purpose of ["petstore api key pepper", "petstore cursors"]) {
    secrets.addBytes(purpose, await deriveKey(webDigest, encryptionKey, purpose));
  }
  const { client } = petstore;
  const issued = must(await client.keys.create({ name: "website" }));
  const rotated = must(await client.keys.rotate({ keyId: issued.view.id }));
  const revoked = must(await client.keys.create({}));
  must(await client.keys.revoke(revoked.view.id));
  const staging = must(await client.keys.create({ environment: "staging" }));
  for (const [name, { token }] of Object.entries({ issued, rotated, revoked, staging })) {
    secrets.addToken(`the ${name} key`, token);
  }

  const answered = sink("answers");
  const service = api({ fetch: async (request) => petstore.fetch(request) });
  for (const { token } of [issued, rotated]) await useEverything(service, token, answered);
  for (const { token } of [revoked, staging]) {
    answered((await service.as(token).get("/v1/pets")).text);
  }
  for (const error of [new Error("it broke"), new StoreUnavailable("it is locked")]) {
    fail(error);
    clock.advance(2_000);
    answered((await service.as(issued.token).get("/v1/pets")).text);
    answered((await service.as(issued.token).post("/v1/pets", {})).text);
    mend();
  }
  clock.advance(1_000);
  await petstore.jobs.tick();
  must(await client.keys.unban(issued.view.id));
  const listed = sink("the list of keys");
  listed(JSON.stringify(must(await client.keys.list(issued.view.accountId))));
  await petstore.jobs.tick();
  await petstore.close();

  const stored = sink("the store");
  stored(JSON.stringify(await plain.keys.ofAccount(issued.view.accountId)));
  stored(JSON.stringify(await plain.events.after(0, 1_000)));
  stored(JSON.stringify(await plain.counters.live(0)));

  // A scan of nothing would always pass.
  expect(secrets.size).toBe(20);
  expect(secrets.in(issued.token)).toEqual(["the issued key", "the issued key, the secret part"]);
  for (const [name, lines] of sinks) {
    expect({ name, lines: lines.length > 0 }).toEqual({ name, lines: true });
    expect({ name, secrets: secrets.in(lines.join("\n")) }).toEqual({ name, secrets: [] });
  }
});

test("no output, metrics, file or response of the program contains a secret", async () => {
  const secrets = new Secrets();
  await using program = await startProgram({
    args: ["--log-level", "debug", "--metrics-listen", "127.0.0.1:0"],
  });
  const { dataDir, origin } = program;
  const outputs: string[] = [];
  const command = async (...args: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await runProgram([...args, "--data-dir", dataDir]);
    expect({ args, exitCode }).toEqual({ args, exitCode: 0 });
    outputs.push(stderr);
    return stdout;
  };
  const issuedBy = (printed: string): { readonly id: string; readonly key: string } =>
    JSON.parse(printed) as { readonly id: string; readonly key: string };

  const plan = ["--plan", "enterprise", "--per-minute", "5000", "--per-day", "50000"];
  const account = issuedBy(await command("accounts", "create", "A shelter", ...plan, "--json")).id;
  const create = ["keys", "create", "--account", account, "--json"];
  const issued = issuedBy(await command(...create, "--name", "website"));
  const rotated = issuedBy(await command("keys", "rotate", issued.id, "--json"));
  const revoked = issuedBy(await command(...create));
  outputs.push(await command("keys", "revoke", revoked.id, "--yes"));
  outputs.push(await command("keys", "list", "--account", account, "--json"));
  outputs.push(await command("keys", "list", "--account", account));
  outputs.push(await command("config", "print"));
  for (const [name, { key }] of Object.entries({ issued, rotated, revoked })) {
    secrets.addToken(`the ${name} key`, key);
  }

  const answers: string[] = [];
  const service = api({ base: origin });
  for (const { key } of [issued, rotated]) {
    await useEverything(service, key, (text) => answers.push(text));
  }
  answers.push((await service.as(revoked.key).get("/v1/pets")).text);
  const metricsOrigin = /listening on (http:\/\/[^\s"]+)","environment":"metrics"/.exec(
    program.output(),
  )?.[1];
  const metrics = await (await fetch(`${metricsOrigin}/metrics`)).text();
  expect(metrics).toContain("# TYPE");
  expect(await program.end()).toBe(0);

  const keyFile = (await readdir(dataDir)).find((name) => name.includes("key")) ?? "";
  const written = (await Bun.file(join(dataDir, keyFile)).text()).trim();
  const encryptionKey = new Uint8Array(Buffer.from(written, "base64url"));
  expect(encryptionKey.length).toBe(32);
  secrets.addBytes("the encryption key", encryptionKey);
  for (const purpose of ["petstore api key pepper", "petstore cursors"]) {
    secrets.addBytes(purpose, await deriveKey(webDigest, encryptionKey, purpose));
  }

  const found = (name: string, text: string): unknown => ({ name, secrets: secrets.in(text) });
  const clean = (name: string): unknown => ({ name, secrets: [] });
  expect(found("output", program.output())).toEqual(clean("output"));
  expect(found("commands", outputs.join("\n"))).toEqual(clean("commands"));
  expect(found("metrics", metrics)).toEqual(clean("metrics"));
  expect(found("answers", answers.join("\n"))).toEqual(clean("answers"));
  let searched = 0;
  for (const name of await readdir(dataDir, { recursive: true })) {
    if (name === keyFile) continue;
    const bytes = await Bun.file(join(dataDir, name)).bytes();
    expect(found(name, Buffer.from(bytes).toString("latin1"))).toEqual(clean(name));
    // The ids of keys are found, which proves that the search looks in the right place.
    if (Buffer.from(bytes).includes(issued.id)) searched++;
  }
  expect(searched).toBeGreaterThan(0);
});

test("no output, metrics, file or response of the program contains a secret of a signed-in member", async () => {
  const secrets = new Secrets();
  await using program = await startProgram({
    args: ["--log-level", "debug", "--metrics-listen", "127.0.0.1:0"],
  });
  const { dataDir, origin } = program;
  const [password, another, wrong] = [
    "seven brave otters swim",
    "nine shy hedgehogs sleep",
    "four loud geese march on",
  ];
  Object.entries({ password, another, wrong }).forEach(([name, text]) => secrets.add(name, text));
  const link = async (name: string, ...args: readonly string[]): Promise<string> => {
    const made = await runProgram([...args, "--json", "--data-dir", dataDir]);
    const outputs = JSON.parse(made.stdout) as { readonly url: string };
    const token = new URL(outputs.url).hash.slice(1);
    secrets.addToken(name, token);
    return token;
  };
  const answers: string[] = [];
  const host = `localhost:${new URL(origin).port}`;
  let cookie = "";
  /** Signs in like the dashboard. The session is a secret and appears only in its cookie. */
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { host, cookie, "content-type": "application/json" };
    const reply = await fetch(`${origin}/manage/v1${path}`, {
      method,
      headers: { ...headers, "sec-fetch-site": "same-origin" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const given = reply.headers.get("set-cookie")?.split(";")[0] ?? "";
    reply.headers.delete("set-cookie");
    const text = await reply.text();
    answers.push(`${JSON.stringify([...reply.headers])}\n${text}`);
    if (given.includes("pet_session_")) {
      cookie = given;
      secrets.addToken(`session ${secrets.size}`, given.slice(given.indexOf("=") + 1));
    }
    return text === "" ? undefined : JSON.parse(text);
  };

  const email = "ada@example.org";
  const setup = await link("the setup link", "setup-link");
  await send("POST", "/setup/member", { token: setup, email, password: 7 });
  await send("POST", "/setup/member", { token: setup, email: password, password });
  await send("POST", "/setup/member", { token: setup, email, password });
  await send("POST", "/setup/member", { token: setup, email, password });
  const opened = cookie;
  await send("POST", "/sessions", { email, password: wrong });
  await send("POST", "/sessions", { email, password: password.repeat(50) });
  await send("POST", "/sessions", { email, password });
  await send("PUT", "/me/password", { current: wrong, password: another });
  await send("PUT", "/me/password", { current: password, password: another });
  const reset = await link("the reset link", "members", "reset-link", email);
  await send("POST", "/reset/check", { token: reset });
  await send("POST", "/reset", { token: reset, password: "1" });
  await send("POST", "/reset", { token: reset, password });
  await send("POST", "/reset", { token: reset, password });
  expect(await send("GET", "/me")).toMatchObject({ role: "operator" });
  for (const path of ["/sessions", "/members", "/events", "/system", `/${reset}`]) {
    await send("GET", path);
  }
  cookie = opened;
  expect(await send("GET", "/me")).toMatchObject({ code: "invalid_session" });
  const metricsOrigin = /listening on (http:\/\/[^\s"]+)","environment":"metrics"/.exec(
    program.output(),
  )?.[1];
  const metrics = await (await fetch(`${metricsOrigin}/metrics`)).text();
  let log = "";
  // Entries appear within a second or two. The setup signed in with a link, and the reset did so last.
  while (log.split('"method":"link"').length < 3) {
    log = (await runProgram(["audit", "export", "--data-dir", dataDir])).stdout;
  }
  for (const type of ["setup_link.created", "session.refused", "member.password_changed"]) {
    expect(log).toContain(`"type":"${type}"`);
  }
  expect(log).not.toContain(email);
  expect(await program.end()).toBe(0);

  expect({ audit: secrets.in(log) }).toEqual({ audit: [] });
  // Three words, two links, and four sessions: each token in two forms.
  expect(secrets.size).toBe(3 + 2 * (2 + 4));
  expect({ output: secrets.in(program.output()) }).toEqual({ output: [] });
  expect({ metrics: secrets.in(metrics) }).toEqual({ metrics: [] });
  expect({ answers: secrets.in(answers.join("\n")) }).toEqual({ answers: [] });
  let searched = 0;
  for (const name of await readdir(dataDir, { recursive: true })) {
    const text = Buffer.from(await Bun.file(join(dataDir, name)).bytes()).toString("latin1");
    expect({ name, secrets: secrets.in(text) }).toEqual({ name, secrets: [] });
    if (text.includes(email)) searched++;
  }
  expect(searched).toBeGreaterThan(0);
});
