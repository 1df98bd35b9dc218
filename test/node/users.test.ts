import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { freePort } from "../helpers/free-ports.ts";
import { hostsWithPackage } from "../helpers/nested.ts";
import { endHost } from "../helpers/process.ts";

const HOSTS = join(import.meta.dir, "project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");
const MANUAL = join(import.meta.dir, "../../docs/embedding-users.md");

const lacking = await hostsWithPackage();

/** Returns an example in a section of the manual, the first one by default. */
async function example(title: string, index = 0): Promise<string> {
  const [, section = ""] = (await Bun.file(MANUAL).text()).split(`\n## ${title}\n`);
  const code = [...section.matchAll(/```js\n(.*?)```/gs)][index]?.[1];
  if (code === undefined) throw new Error(`docs/embedding-users.md has no example for ${title}`);
  return code;
}

/** Writes files where their imports find the frameworks and the package. */
async function written(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(HOSTS, "node_modules/.examples", `users-${name}`);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

interface Host {
  readonly origin: string;
  /** Signs a user in, and returns the headers of the requests of that user. */
  readonly signIn: (name: string) => Promise<Readonly<Record<string, string>>>;
}

/** Starts a script, and ends it after `act`. */
async function running(script: string, act: (host: Host) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-users-"));
  const port = await freePort();
  const child = Bun.spawn([NODE, script], {
    cwd: directory,
    env: {
      ...process.env,
      PORT: String(port),
      SESSION_SECRET: "a secret of more than thirty-two characters",
    },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const errors = new Response(child.stderr).text();
  const origin = `http://127.0.0.1:${port}`;
  const post = (name: string): Promise<Response> =>
    fetch(`${origin}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
  const signIn: Host["signIn"] = async (name) => {
    for (;;) {
      try {
        const response = await post(name);
        const cookie = response.headers.get("set-cookie")?.split(";", 1)[0];
        if (cookie !== undefined) return { cookie };
        const { token } = await response.json();
        return { authorization: `Bearer ${token}` };
      } catch (error) {
        if (child.exitCode !== null) throw error;
        await Bun.sleep(20);
      }
    }
  };
  try {
    await act({ origin, signIn });
  } finally {
    await endHost(child, errors);
    await rm(directory, { recursive: true });
  }
}

const rex = JSON.stringify({ name: "Rex", categoryId: 1 });
const JSON_TYPE = { "content-type": "application/json" };

describe.skipIf(lacking !== undefined)(`the examples${lacking ? ` (${lacking})` : ""}`, () => {
  for (const [title, stranger] of [
    ["Express", "missing_api_key"],
    ["Fastify", "missing_api_key"],
    // Its own middleware refuses strangers.
    ["Hono", undefined],
  ] as const) {
    test(`${title}: the host's users need no key, and may do what their scopes say`, async () => {
      const name = title.toLowerCase();
      const folder = await written(name, { "server.js": await example(title) });
      await running(join(folder, "server.js"), async ({ origin, signIn }) => {
        const pets = `${origin}/shelter/v1/pets`;
        const add = (headers: Readonly<Record<string, string>>): Promise<Response> =>
          fetch(pets, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: rex });
        const [staff, reader] = [await signIn("ada"), await signIn("ben")];
        expect((await add(staff)).status).toBe(201);
        expect((await add(reader)).status).toBe(403);
        const found = await fetch(pets, { headers: reader });
        expect(await found.json()).toMatchObject([{ name: "Rex" }]);
        expect(found.headers.get("x-ratelimit-limit")).toBe("1000");
        const nobody = await fetch(pets);
        expect(nobody.status).toBe(401);
        if (stranger === undefined) return;
        expect(await nobody.json()).toMatchObject({ code: stranger });
        const forged = await add({ ...staff, origin: "https://evil.example" });
        expect(await forged.json()).toMatchObject({ code: "cross_site_request" });
      });
    });
  }

  test("Next.js and SvelteKit: the route handlers ask for the session", async () => {
    const folder = await written("next", {
      "app/api/v1/[...path]/route.js": await example("Next.js"),
      "auth.js": `
        import { AsyncLocalStorage } from "node:async_hooks";
        export const sessions = new AsyncLocalStorage();
        export const auth = async () => sessions.getStore() ?? null;`,
      "petstore.js": `
        import { createPetstore } from "petstore";
        import { memoryStore } from "petstore/stores/memory";
        export const petstore = createPetstore({ store: memoryStore() });`,
      "server.js": `
        import { fetchHandler } from "petstore/fetch";
        import { petstore } from "./petstore.js";
        ${await example("Next.js", 1)}`,
      "try.js": `
        import { fallback } from "./server.js";
        import { sessions } from "./auth.js";
        import { GET, PATCH, POST } from "./app/api/v1/[...path]/route.js";
        const request = (method, path, body) => new Request("http://localhost:3000/api/v1" + path, {
          method, body, headers: body && { "content-type": "application/json" },
        });
        const user = { user: { id: "7" } };
        const made = await sessions.run(user, () => POST(request("POST", "/pets", ${JSON.stringify(rex)})));
        const changed = await sessions.run(user, () => PATCH(request("PATCH", "/pets/1", '{"name":"Max"}')));
        const stranger = await GET(request("GET", "/pets"));
        const event = (user) => ({ request: request("GET", "/pets"), locals: { user } });
        const others = [await fallback(event(user.user)), await fallback(event())];
        console.log(made.status, made.headers.get("location"), changed.status, stranger.status);
        console.log(...others.map(({ status }) => status));`,
    });
    const child = Bun.spawn([NODE, join(folder, "try.js")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = await new Response(child.stdout).text();
    expect(said.trim()).toBe("201 http://localhost:3000/api/v1/pets/1 200 401\n200 401");
  });
});
