import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { must } from "../../testing/shelter.ts";
import { torture } from "../helpers/chance.ts";
import { freePort } from "../helpers/free-ports.ts";
import { hostsWithPackage } from "../helpers/nested.ts";
import { endHost } from "../helpers/process.ts";
import { readHost } from "./host.ts";
import { installHost } from "./install.ts";
import { PAGES, readRecipe, type Recipe } from "./recipes.ts";

const PROJECT = join(import.meta.dir, "../node/project");
const NODE = join(PROJECT, "node_modules/node24/bin/node");
const MANUAL = join(import.meta.dir, "../../docs/embedding.md");

const names = (await readdir(PAGES))
  .filter((file) => file !== "README.md")
  .map((file) => file.replace(".md", ""))
  .toSorted();
const recipes = await Promise.all(names.map(readRecipe));
const recipeOf = (name: string): Recipe =>
  must(
    recipes.find((one) => one.name === name),
    `docs/hosts/${name}.md`,
  );

describe.each(recipes.map((recipe) => [recipe.name, recipe] as const))(
  "docs/hosts/%s.md",
  (name, recipe) => {
    test("has code of at most ten lines", () => {
      expect(recipe.files.length).toBeGreaterThan(0);
      for (const { code } of recipe.files) {
        const lines = code.split("\n").filter((line) => !/^\s*(?:\/\/.*)?$/.test(line));
        // The closing brackets of a statement are no code of their own.
        const own = lines.filter((line) => !/^[\s})\];]+$/.test(line));
        // NestJS on Fastify needs six imports; React Router needs two exports, and an end on SIGTERM.
        const most = ["nestjs", "react-router"].includes(name) ? 11 : 10;
        expect([name, own.length <= most]).toEqual([name, true]);
        expect(lines.filter((line) => line.length > 105)).toEqual([]);
      }
    });

    test("says what to install and how to try it", () => {
      expect(recipe.commands[0]).toMatch(/^(npm install|bun add|deno add npm:)/);
      expect(recipe.commands.at(-1)).toMatch(/^curl .*\/v1\/pets$/m);
    });

    test("is listed in the manual", async () => {
      expect(await Bun.file(MANUAL).text()).toContain(`](hosts/${name}.md)`);
    });
  },
);

const lacking = await hostsWithPackage();
const places: string[] = [];
afterAll(async () => {
  for (const place of places) await rm(place, { force: true });
});

/** Writes code among the packages of a folder, and returns its path. */
async function placed(
  name: string,
  code: string,
  folder = join(PROJECT, "node_modules"),
): Promise<string> {
  const file = join(folder, `.recipe-${name}-${process.pid}.mjs`);
  places.push(file);
  await Bun.write(file, code);
  return file;
}

interface Server {
  readonly page: string;
  readonly variant?: string;
  readonly runtime?: "node" | "bun" | "deno";
  /** Default: `/shelter`. */
  readonly mount?: string;
  /** The host of `npm run hosts` whose packages it needs. Default: those of the project, which `npm test` has. */
  readonly host?: string;
}

const servers: readonly Server[] = [
  { page: "node", mount: "" },
  { page: "express" },
  { page: "fastify" },
  { page: "hono", variant: "Node" },
  { page: "hono", variant: "Bun", runtime: "bun" },
  { page: "bun", runtime: "bun", mount: "" },
  { page: "express", variant: "4", host: "express4" },
  { page: "koa", host: "koa" },
  { page: "h3", host: "h3" },
  { page: "elysia", host: "elysia", runtime: "bun" },
  { page: "hono", variant: "Deno", host: "hono-deno", runtime: "deno" },
  { page: "deno", host: "deno", runtime: "deno", mount: "" },
];

describe.skipIf(lacking !== undefined)(
  `the code of the pages${lacking ? ` (${lacking})` : ""}`,
  () => {
    for (const server of servers.filter(({ host }) => host === undefined || torture)) {
      const { page, variant, runtime = "node", mount = "/shelter", host } = server;
      test(`serves the API with ${page}${variant === undefined ? "" : ` (${variant})`}`, async () => {
        const folder = host === undefined ? undefined : await installHost(await readHost(host));
        const deno = [join(folder ?? "", "node_modules/.bin/deno"), "run", "--allow-all"];
        const programs = { node: [NODE], bun: [process.execPath], deno };
        const { files } = recipeOf(page);
        const { code } = must(files.find(({ heading }) => heading === variant) ?? files[0], page);
        const directory = await mkdtemp(join(tmpdir(), "petstore-recipe-"));
        const port = await freePort();
        const key = await firstKey(directory, runtime === "bun");
        const file = await placed(`${page}-${variant ?? ""}`, code, folder);
        const child = Bun.spawn([...programs[runtime], file], {
          cwd: directory,
          env: { ...process.env, PORT: String(port) },
          stdio: ["ignore", "inherit", "pipe"],
        });
        const errors = new Response(child.stderr).text();
        try {
          const address = `http://127.0.0.1:${port}${mount}/v1/pets`;
          const refused = await firstAnswer(address, child);
          expect([refused.status, (await refused.json()).code]).toEqual([401, "missing_api_key"]);
          const created = await fetch(address, {
            method: "POST",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body: '{"name":"Rex","categoryId":1}',
          });
          expect([created.status, created.headers.get("location")]).toEqual([201, `${address}/1`]);
          await created.text();
        } finally {
          await endHost(child, errors);
          await rm(directory, { recursive: true });
        }
      });
    }
  },
);

/** An event of a function URL, which has the form of API Gateway's HTTP APIs (version 2.0). */
function eventOf(method: string, path: string, more: object = {}): object {
  const [rawPath = "", rawQueryString = ""] = path.split("?");
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    cookies: ["session=1", "theme=dark"],
    headers: { host: "abc.lambda-url.eu-central-1.on.aws", "x-forwarded-for": "203.0.113.9" },
    requestContext: {
      accountId: "anonymous",
      apiId: "abc",
      domainName: "abc.lambda-url.eu-central-1.on.aws",
      domainPrefix: "abc",
      http: {
        method,
        path: rawPath,
        protocol: "HTTP/1.1",
        sourceIp: "198.51.100.7",
        userAgent: "curl",
      },
      requestId: "e1506fd5-9e7b-434f-bd42-4f8fa224b599",
      routeKey: "$default",
      stage: "$default",
      time: "26/Nov/2026:12:00:00 +0000",
      timeEpoch: 1_795_694_400_000,
    },
    isBase64Encoded: false,
    ...more,
  };
}

test.skipIf(lacking !== undefined)("the code for AWS Lambda answers events", async () => {
  const { code } = must(recipeOf("aws-lambda").files[0], "aws-lambda");
  // Another store, because the test has no PostgreSQL.
  const own = code
    .replace('import postgres from "postgres";\n', "const postgres = () => {};\n")
    .replace("postgresStore }", "nodeSqliteStore as postgresStore }")
    .replace("petstore/stores/postgres", "petstore/stores/node-sqlite")
    .replace("url: process.env.DATABASE_URL, connect: postgres", 'path: ":memory:"');
  const authorized =
    'headers: { authorization: `Bearer ${issued.value.token}`, "content-type": "application/json", "accept-encoding": "gzip" }';
  const encoded = Buffer.from('{"name":"Ünal","categoryId":1}').toString("base64");
  const script = `${own}
    const issued = await petstore.client.keys.create({ name: "test" });
    const by = { ${authorized} };
    const answers = [];
    for (const event of ${JSON.stringify([
      eventOf("GET", "/v1/pets"),
      { ...eventOf("POST", "/v1/pets", { body: encoded, isBase64Encoded: true }), by: true },
      { ...eventOf("GET", "/v1/pets?limit=1"), by: true },
      { ...eventOf("DELETE", "/v1/pets/1"), by: true },
      { ...eventOf("GET", "/v1/openapi.json"), by: true },
    ])}) {
      const { by: isAuthorized, ...sent } = event;
      answers.push(await handler(JSON.parse(JSON.stringify(isAuthorized ? { ...sent, ...by } : sent)), {}));
    }
    console.log(JSON.stringify(answers));`;
  const child = Bun.spawn([NODE, await placed("lambda", script)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [refused, created, listed, removed, described] = JSON.parse(
    await new Response(child.stdout).text(),
  );
  expect([refused.statusCode, JSON.parse(refused.body).code]).toEqual([401, "missing_api_key"]);
  const origin = "https://abc.lambda-url.eu-central-1.on.aws";
  expect([created.statusCode, created.headers.location]).toEqual([201, `${origin}/v1/pets/1`]);
  expect(JSON.parse(created.body).name).toBe("Ünal");
  expect([listed.statusCode, listed.isBase64Encoded]).toEqual([200, false]);
  expect(listed.headers.link).toContain(`<${origin}/v1/pets?limit=1>; rel="first"`);
  expect([removed.statusCode, removed.body]).toEqual([204, ""]);
  // Compressed bodies are binary.
  expect([described.isBase64Encoded, described.headers["content-encoding"]]).toEqual([
    true,
    "gzip",
  ]);
  const document = Bun.gunzipSync(Buffer.from(described.body, "base64"));
  expect(JSON.parse(new TextDecoder().decode(document)).servers[0].url).toBe("/v1");
});

test.skipIf(lacking !== undefined)("clientAddress names each client, also later on", async () => {
  const script = `
    import { once } from "node:events";
    import { createServer, get } from "node:http";
    import { clientAddress } from "petstore/node";
    const [address, again] = [clientAddress(), clientAddress()];
    const waiting = [];
    const server = createServer(async (_request, response) => {
      const both = new Promise((resolve) => waiting.push(resolve));
      if (waiting.length === 2) for (const resolve of waiting) resolve();
      await both;
      response.end(address() + " " + again());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address();
    const ask = async (localAddress) => {
      const [response] = await once(get({ host: "127.0.0.1", port, localAddress }), "response");
      return String(await response.setEncoding("latin1").toArray());
    };
    console.log(JSON.stringify([await Promise.all(["127.0.0.2", "127.0.0.3"].map(ask)), String(address())]));
    server.close();`;
  const child = Bun.spawn([NODE, await placed("address", script)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual([
    ["127.0.0.2 127.0.0.2", "127.0.0.3 127.0.0.3"],
    "undefined",
  ]);
});

/** Runs the manual's program for the first key. */
async function firstKey(directory: string, byBun: boolean): Promise<string> {
  const blocks = (await Bun.file(MANUAL).text()).matchAll(/^```js\n(.*?)^```$/gms);
  const codes = [...blocks].map(([, code = ""]) => code);
  const code = must(
    codes.find((one) => one.includes("keys.create") && one.includes("store.close")),
    "key.js",
  );
  const written = byBun
    ? code.replaceAll("nodeSqlite", "bunSqlite").replace("/node-", "/bun-")
    : code;
  const file = await placed(byBun ? "key-bun" : "key", written);
  const child = Bun.spawn([byBun ? process.execPath : NODE, file], {
    cwd: directory,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return (await new Response(child.stdout).text()).trim();
}

/** Retries until a server listens or the process has ended. */
async function firstAnswer(url: string, child: Bun.Subprocess): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url);
    } catch (error) {
      if (child.exitCode !== null) throw error;
      await Bun.sleep(20);
    }
  }
}
