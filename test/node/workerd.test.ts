import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { hostsWithPackage, installedMiniflare } from "../helpers/nested.ts";

const HOSTS = join(import.meta.dir, "project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");
const MANUAL = join(import.meta.dir, "../../docs/hosts/cloudflare-workers.md");

const hosts = await hostsWithPackage();
const miniflare = await installedMiniflare();
const lacking = hosts ?? ("lacking" in miniflare ? miniflare.lacking : undefined);
const folder = "folder" in miniflare ? miniflare.folder : "";

/** The entry points that need no other runtime, with their peers. */
const PORTABLE = "client fetch hono management markdown members publishing testing".split(" ");

/** Returns the example for workerd of the manual. */
async function recipe(): Promise<string> {
  const blocks = (await Bun.file(MANUAL).text()).matchAll(/```js\n(.*?)```/gs);
  const found = [...blocks].map(([, code = ""]) => code).find((code) => code.includes("scheduled"));
  if (found === undefined) throw new Error("docs/hosts/cloudflare-workers.md has no code");
  return found;
}

describe.skipIf(lacking !== undefined)(`workerd${lacking ? ` (${lacking})` : ""}`, () => {
  let host: ReturnType<typeof start>;
  let base = "";
  let directory = "";
  let lines: AsyncIterator<string>;
  let authorization = "";

  function start(script: string) {
    const command = [NODE, "hosts/workerd.js", script, folder];
    return Bun.spawn(command, { cwd: HOSTS, stdio: ["pipe", "pipe", "inherit"] });
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "petstore-workerd-"));
    const at = (name: string): string => join(HOSTS, name);
    const { outputs } = await Bun.build({
      entrypoints: [at("worker.js")],
      files: {
        [at("recipe.js")]: await recipe(),
        [at("store.js")]: `
          import { memoryStore } from "petstore/stores/memory";
          export const store = memoryStore();`,
        [at("worker.js")]: `
          import { createPetstore } from "petstore";
          import { store } from "./store.js";
          import recipe from "./recipe.js";
          ${PORTABLE.map((entry) => `import * as ${entry} from "petstore/${entry}";`).join("\n")}
          const unhandled = [];
          addEventListener("unhandledrejection", ({ reason }) => unhandled.push(String(reason)));
          const own = createPetstore({ store });
          const key = async () => Response.json(await own.client.keys.create({ name: "test" }));
          const answers = { "/unhandled": () => Response.json(unhandled), "/key": key, "/entries": () => Response.json(Object.keys({ ${PORTABLE.join()} })) };
          const either = (request, ...rest) =>
            (answers[new URL(request.url).pathname] ?? recipe.fetch)(request, ...rest);
          export default { ...recipe, fetch: either };`,
      },
      target: "browser",
      conditions: ["workerd", "worker", "module"],
      external: ["node:*"],
    });
    const script = join(directory, "worker.mjs");
    await Bun.write(script, outputs[0] ?? "");
    host = start(script);
    lines = host.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    base = (await lines.next()).value?.trim() ?? "";
    const issued: { readonly value: { readonly token: string } } = await (
      await fetch(new URL("/key", base))
    ).json();
    authorization = `Bearer ${issued.value.token}`;
  });
  afterAll(async () => {
    await host.stdin.end();
    await host.exited;
    await rm(directory, { recursive: true });
  });

  const create = (body: string) =>
    fetch(new URL("/v1/pets", base), {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body,
      // workerd closes a connection whose request it did not read, which the next request would find out.
      keepalive: false,
    });

  /** Returns the bytes as they were sent: `fetch` decodes them. */
  const raw = (path: string) =>
    new Promise<{ readonly encoding: string | undefined; readonly bytes: Buffer }>(
      (resolve, reject) => {
        const headers = { authorization, "accept-encoding": "gzip" };
        get(new URL(path, base), { headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            const encoding = response.headers["content-encoding"];
            resolve({ encoding, bytes: Buffer.concat(chunks) });
          });
        }).on("error", reject);
      },
    );

  test("the manual's example starts, with every portable entry point", async () => {
    expect(await (await fetch(new URL("/entries", base))).json()).toEqual(PORTABLE);
    const answer = await fetch(new URL("/v1/pets", base));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "missing_api_key" });
  });

  test("requests share nothing that belongs to one of them", async () => {
    const large = (): Promise<Response> => create("x".repeat(66_000));
    const small = (): Promise<Response> => create('{"name":"Rex","categoryId":1}');
    for (const send of [small, large, small]) {
      const answers = await Promise.all(Array.from({ length: 10 }, send));
      const expected = send === small ? 201 : 413;
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => expected));
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
  });

  test("bodies are compressed once", async () => {
    for (const path of ["/v1/pets?limit=100", "/v1/openapi.json"]) {
      for (let time = 1; time <= 2; time++) {
        const { encoding, bytes } = await raw(path);
        expect([path, encoding]).toEqual([path, "gzip"]);
        const text = gunzipSync(bytes).toString();
        expect(text.length).toBeGreaterThan(1_024);
        expect(() => JSON.parse(text)).not.toThrow();
      }
    }
  });

  test("the scheduled handler runs the jobs", async () => {
    await host.stdin.write("\n");
    await host.stdin.flush();
    expect((await lines.next()).value).toBe("ok\n");
  });

  test("no rejection was left unhandled", async () => {
    expect(await (await fetch(new URL("/unhandled", base))).json()).toEqual([]);
  });
});
