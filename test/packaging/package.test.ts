import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";

import manifest from "../../package.json";
import { publicEntries } from "../helpers/entries.ts";
import { namelessTypes } from "../helpers/nameless-types.ts";
import { hostsWithPackage, installed, packed } from "../helpers/nested.ts";

const ROOT = join(import.meta.dir, "../..");
const JUDGES = join(import.meta.dir, "project");
const HOSTS = join(ROOT, "test/node/project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");

/** The code that `createPetstore` and the client load first, minified, with its dependencies. */
const MAX_GZIPPED_BYTES = { createPetstore: 40 * 1_024, createClient: 4_096, verifyWebhook: 1_850 };
/** The files that Node opens to import an entry point, with those of other packages. */
const MAX_FILES = { petstore: 12, "petstore/client": 4, "petstore/stores/node-sqlite": 14 };

/** The entry points with peers. `npm run build` fails if it finds others by their imports. */
const PEERS = {
  "petstore/domains": {
    module: "domains/index.js",
    packages: "@peculiar/x509 acme-client dns2 tldts",
    lacks:
      'petstore/domains needs packages that are not installed: @peculiar/x509@^1.14.3, acme-client@^5.4.0, dns2@^3.1.1, tldts@^7.5.4. Install them with: npm install "@peculiar/x509@^1.14.3" "acme-client@^5.4.0" "dns2@^3.1.1" "tldts@^7.5.4"',
  },
  "petstore/mail/smtp": {
    module: "adapters/mail/smtp.js",
    packages: "nodemailer",
    lacks:
      'petstore/mail/smtp needs a package that is not installed: nodemailer@^10.6.1. Install it with: npm install "nodemailer@^10.6.1"',
  },
  "petstore/markdown": {
    module: "adapters/markdown.js",
    packages: "micromark",
    lacks:
      'petstore/markdown needs a package that is not installed: micromark@^4.0.3. Install it with: npm install "micromark@^4.0.3"',
  },
  "petstore/passkeys": {
    module: "adapters/passkeys.js",
    packages: "@simplewebauthn/server reflect-metadata",
    lacks:
      'petstore/passkeys needs packages that are not installed: @simplewebauthn/server@^14.0.3, reflect-metadata@^0.2.2. Install them with: npm install "@simplewebauthn/server@^14.0.3" "reflect-metadata@^0.2.2"',
  },
  "petstore/testing/domains": {
    module: "testing/domains/index.js",
    packages: "@peculiar/x509 dns2",
    lacks:
      'petstore/testing/domains needs packages that are not installed: @peculiar/x509@^1.14.3, dns2@^3.1.1. Install them with: npm install "@peculiar/x509@^1.14.3" "dns2@^3.1.1"',
  },
};

const lacking = (await installed("test/packaging/project")) ?? (await hostsWithPackage());
const tarball = lacking === undefined ? await packed() : "";

describe.skipIf(lacking !== undefined)(`the package${lacking ? ` (${lacking})` : ""}`, () => {
  test("publint finds nothing", async () => {
    const { output, code } = await run([tool("publint"), "run", tarball, "--strict"], JUDGES);
    expect(code, output).toBe(0);
    expect(output).toContain("All good!");
  });

  test("the types resolve in every supported module system", async () => {
    // Every Node that package.json admits can require ES modules, which attw does not know: it expects `import()`.
    const ignored = ["--ignore-rules", "cjs-resolves-to-esm"];
    const { output, code } = await run(
      [tool("attw"), tarball, "--profile", "node16", "--no-emoji", ...ignored],
      JUDGES,
    );
    expect(code, output).toBe(0);
  });

  test("it contains the build, and no tests and no program", async () => {
    const { output } = await run(["tar", "-tzf", tarball], ROOT);
    const files = output.trim().split("\n");
    const expected =
      /^package\/(dist\/npm\/(lib|adapters|domains|testing)\/[\w/-]+\.(js|d\.ts)|dist\/npm\/chunks\/[\w-]+\.js|dist\/npm\/entries\/[a-z-]+\.(c?js|d\.cts)|(docs|examples)\/[\w./-]+|[A-Z]+(\.md)?|package\.json)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
  });

  test("links in its README and manual point to files of the package", async () => {
    const { output } = await run(["tar", "-tzf", tarball], ROOT);
    const files = new Set(output.trim().split("\n"));
    const pages = [...files].filter((file) => /^package\/(README|docs\/.*)\.md$/.test(file));
    expect(pages).toContain("package/README.md");
    expect(pages).toContain("package/docs/embedding.md");
    const dead: string[] = [];
    for (const page of pages) {
      const text = await Bun.file(join(ROOT, page.slice("package/".length))).text();
      for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^([a-z]+:|#)/.test(target)) continue;
        const file = join(page, "..", target.replace(/#.*$/, ""));
        const found = files.has(file) || [...files].some((one) => one.startsWith(`${file}/`));
        if (!found) dead.push(`${page}: ${target}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test("it cannot be published without the project's repository in package.json", async () => {
    const { code } = await run(["node", "scripts/ready-to-publish.mjs"], ROOT);
    const fields: Readonly<Record<string, unknown>> = manifest;
    const known = ["repository", "homepage", "bugs"].every((field) => field in fields);
    expect(code).toBe(known ? 0 : 1);
  });

  test("every type reachable from an export is exported too", async () => {
    expect(await namelessTypes(join(HOSTS, "node_modules/petstore"))).toEqual([]);
  });

  for (const [what, config] of Object.entries({
    "need neither the DOM's nor Node's types, except those of domains": "without-node",
    "need no types of the DOM": "without-dom",
    "compile with strict settings, without skipLibCheck, in every framework and in CommonJS":
      "tsconfig",
  })) {
    test(`its types ${what}`, async () => {
      const tsc = join(ROOT, "node_modules/.bin/tsc");
      const { output, code } = await run([tsc, "-p", `types/${config}.json`], HOSTS);
      expect(output).toBe("");
      expect(code).toBe(0);
    });
  }

  test("the types of every entry point are compiled", async () => {
    const compiled: string[] = [];
    for (const file of ["fetch-only", "without-dom"]) {
      const text = await Bun.file(join(HOSTS, `types/${file}.ts`)).text();
      compiled.push(...Array.from(text.matchAll(/^import "(.+)";$/gm), ([, name = ""]) => name));
    }
    expect(compiled.toSorted()).toEqual(
      publicEntries()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test("require returns the same modules as import", async () => {
    const entries = publicEntries()
      .map(({ name }) => name)
      .filter((name) => !/bun/.test(name));
    const script = `
      const told = {};
      (async () => {
        for (const entry of ${JSON.stringify(entries)}) {
          const [required, imported] = [require(entry), await import(entry)];
          const names = Object.keys(imported);
          told[entry] = names.length > 0 && names.every((name) => required[name] === imported[name]);
        }
        console.log(JSON.stringify(told));
      })();`;
    const { output } = await run([NODE, "-e", script], HOSTS);
    expect(JSON.parse(output)).toEqual(Object.fromEntries(entries.map((entry) => [entry, true])));
    // The oldest supported Node has no SQLite.
    const core = `console.log(typeof require("petstore").createPetstore)`;
    expect((await run(["node", "-e", core], HOSTS)).output).toBe("function\n");
  });

  test("importing it reads no environment and opens no file, socket or timer", async () => {
    const { output, code } = await run(
      [
        NODE,
        "--permission",
        `--allow-fs-read=${HOSTS}/*`,
        // The optional peers.
        `--allow-fs-read=${ROOT}/node_modules/*`,
        "hosts/imports.js",
      ],
      HOSTS,
    );
    expect(JSON.parse(output)).toEqual({ environment: [], resources: [], threw: [] });
    expect(code).toBe(0);
  });

  test("the core runs on the oldest supported Node", async () => {
    const { output } = await run(["node", "hosts/smallest.js"], HOSTS);
    expect(output.trim()).toBe("201");
  });

  test("on Node, without a test runner, the adapters fulfil the exported contracts", async () => {
    const { output } = await run([NODE, "hosts/contract.js"], HOSTS);
    const told: { cases: Record<string, number>; broken: string[] } = JSON.parse(output);
    expect(told.broken).toEqual([]);
    const { store, sql, tokens, members, domains, leases, authority } = told.cases;
    expect(store).toBeGreaterThan(50);
    expect(sql).toBeGreaterThan(20);
    expect(leases).toBeGreaterThan(5);
    expect(authority).toBeGreaterThan(11);
    expect(tokens).toBeGreaterThan(10);
    expect(members).toBeGreaterThan(15);
    expect(domains).toBeGreaterThan(30);
  });

  test("the client needs nothing that browsers lack", async () => {
    // They do not pull in the service, nor each other.
    for (const name of ["createClient", "verifyWebhook"]) {
      const code = (await sent(`export { ${name} } from "petstore/client";`)).first;
      expect(code).not.toMatch(/\bfrom\s*"|require\(|\bprocess\b|\bBuffer\b|node:|bun:/);
      expect(code.length).toBeGreaterThan(1_000);
    }
  });

  test("what a page or an edge function loads first is small", async () => {
    const sizes: Record<string, number> = {};
    for (const [name, entry] of [
      ["createClient", "petstore/client"],
      ["verifyWebhook", "petstore/client"],
      ["createPetstore", "petstore"],
    ] as const) {
      const { first } = await sent(`export { ${name} } from "${entry}";`);
      sizes[name] = gzipSync(first, { level: 9 }).length;
    }
    const large = Object.entries(MAX_GZIPPED_BYTES).filter(
      ([name, most]) => !((sizes[name] ?? Infinity) <= most),
    );
    expect(large, JSON.stringify(sizes)).toEqual([]);
  });

  test("a request whose code cannot be loaded fails, and the next one loads it", async () => {
    const copy = await mkdtemp(join(tmpdir(), "petstore-late-"));
    try {
      for (const { path, text } of await built(`export { createPetstore } from "petstore";
        export { memoryStore } from "petstore/stores/memory";`)) {
        // All files are in one folder here.
        await Bun.write(
          join(copy, path),
          text.replaceAll(/"(?:\.{1,2}\/)+(?=[^"/]+\.js")/g, '"./'),
        );
      }
      await cp(join(HOSTS, "hosts/late.js"), join(copy, "late.js"));
      await Bun.write(join(copy, "package.json"), '{ "type": "module" }');
      const { output } = await run([NODE, "late.js"], copy);
      // The answer without the code, the entries of the log, and the answer with it.
      expect(JSON.parse(output)).toEqual({
        lists: [500, 1, 200],
        writes: [500, 1, 201],
        conditions: [500, 1, 204],
        users: [500, 1, 200],
        requestLog: [500, 1, 200],
        entries: 1,
      });
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  });

  test("importing it opens few files", async () => {
    for (const [entry, most] of Object.entries(MAX_FILES)) {
      const { output } = await run([NODE, "hosts/files.js", entry], HOSTS);
      const files: readonly string[] = JSON.parse(output);
      expect(files.length).toBeGreaterThan(1);
      expect([entry, files.length <= most]).toEqual([entry, true]);
    }
  });

  test("its entry points share their code: an error has one class, with its name and lines", async () => {
    const { output } = await run([NODE, "hosts/identities.js"], HOSTS);
    const { same, stack } = JSON.parse(output);
    expect(same).toBe(true);
    expect(stack).toMatch(
      /at createPetstore \(.*\/petstore\/dist\/npm\/chunks\/[\w-]+\.js:\d+:\d+\)/,
    );
  });

  test("every subpath has a file and types", async () => {
    const files = JSON.stringify(manifest.exports).match(/"\.\/[^"]+"(?=[,}])/g) ?? [];
    expect(files.length).toBeGreaterThan(40);
    for (const file of files) {
      const path = join(HOSTS, "node_modules/petstore", JSON.parse(file));
      expect([file, await Bun.file(path).exists()]).toEqual([file, true]);
    }
  });

  describe("without its optional peers", () => {
    let bare = "";
    beforeAll(async () => {
      // Outside the repository, so that its node_modules are not found.
      bare = await mkdtemp(join(tmpdir(), "petstore-bare-"));
      const modules = join(bare, "node_modules");
      await mkdir(join(modules, "petstore"), { recursive: true });
      await run(
        ["tar", "-xzf", tarball, "--strip-components=1", "-C", join(modules, "petstore")],
        ROOT,
      );
      for (const name of Object.keys(manifest.dependencies)) {
        await cp(join(ROOT, "node_modules", name), join(modules, name), { recursive: true });
      }
    });
    afterAll(() => rm(bare, { recursive: true, force: true }));

    const runtimes = { "the oldest Node": "node", Node: NODE, Bun: process.execPath };
    for (const [runtime, program] of Object.entries(runtimes)) {
      test(`${runtime} names everything that an entry point is missing, with import and require`, async () => {
        const entries = Object.keys(PEERS);
        const lacks = Object.values(PEERS).map((peer) => ["ERR_MODULE_NOT_FOUND", peer.lacks]);
        for (const load of ["import(entry)", "new Promise((resolve) => resolve(require(entry)))"]) {
          const script = `(async () => {
            const told = [];
            for (const entry of ${JSON.stringify(entries)}) {
              told.push(await ${load}.then(() => "loaded", ({ code, message }) => [code, message]));
            }
            console.log(JSON.stringify(told));
          })();`;
          const { output } = await run([program, "-e", script], bare);
          expect(JSON.parse(output)).toEqual(lacks);
        }
      });
    }

    test("every other entry point loads", async () => {
      const others = Object.keys(manifest.exports)
        .map((subpath) => subpath.replace(".", "petstore"))
        .filter((entry) => !(entry in PEERS) && !/bun|package\.json/.test(entry));
      expect(others.length).toBeGreaterThan(15);
      const script = `for (const entry of ${JSON.stringify(others)}) await import(entry);`;
      const { output, code } = await run([NODE, "--input-type=module", "-e", script], bare);
      expect([output, code]).toEqual(["", 0]);
    });

    test("a bundle that contains the peers runs, whatever conditions its bundler uses", async () => {
      const entry = join(HOSTS, "markdown-bundled.js");
      for (const conditions of [[], ["module"], ["workerd"]]) {
        const { outputs } = await Bun.build({
          entrypoints: [entry],
          files: {
            [entry]: `import { markdown } from "petstore/markdown"; console.log(markdown("*Rex*"));`,
          },
          target: "node",
          conditions,
        });
        const [bundle] = outputs;
        await Bun.write(join(bare, "bundle.mjs"), bundle ?? "");
        const { output } = await run([NODE, "bundle.mjs"], bare);
        expect(output.trim()).toBe("<p><em>Rex</em></p>");
      }
    });
  });

  test("with its peers installed, an entry point is the module itself", async () => {
    const modules = Object.entries(PEERS).map(([entry, { module }]) => [entry, module]);
    const script = `
      const { createRequire } = await import("node:module");
      const require = createRequire(process.cwd() + "/");
      for (const [entry, module] of ${JSON.stringify(modules)}) {
        const real = "./node_modules/petstore/dist/npm/" + module;
        const [one, other] = [await import(entry), await import(real)];
        const names = Object.keys(other);
        const required = require(entry);
        const same = names.every((name) => one[name] === other[name] && required[name] === other[name]);
        console.log(entry, names.length > 0 && same && names.length === Object.keys(one).length);
      }`;
    const { output } = await run([NODE, "--input-type=module", "-e", script], HOSTS);
    const expected = Object.keys(PEERS).map((entry) => `${entry} true`);
    expect(output.trim().split("\n")).toEqual(expected);
  });

  test("the manual names the peers to install with each entry point", async () => {
    const manual = await Bun.file(join(ROOT, "docs/embedding.md")).text();
    for (const [entry, { packages }] of Object.entries(PEERS)) {
      expect(manual).toContain(`| \`${entry}\` | \`npm install ${packages}\` |`);
    }
    expect(manual.match(/^\| `petstore\/[a-z/]+` \| `npm install/gm)).toHaveLength(
      Object.keys(PEERS).length,
    );
  });
});

/**
 * Bundles code that imports the package, as its users' bundlers do. `first` is what the code loads at once: not what the
 * package loads on demand.
 */
async function sent(code: string): Promise<{ readonly first: string }> {
  const texts = new Map<string, string>();
  for (const { path, text } of await built(code)) texts.set(path, text);
  const loaded = new Set(["of-a-page.js"]);
  for (const name of loaded) {
    const imported = (texts.get(name) ?? "").matchAll(/(?:from|import)"(?:\.{1,2}\/)+([^"/]+)"/g);
    for (const [, next = ""] of imported) loaded.add(next);
  }
  return { first: [...loaded].map((name) => texts.get(name) ?? "").join("") };
}

/** Returns the files of a bundle, which loads parts of itself on demand. The first is `of-a-page.js`. */
async function built(
  code: string,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const entry = join(HOSTS, "node_modules/of-a-page.js");
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: code },
    target: "browser",
    minify: true,
    splitting: true,
  });
  return Promise.all(
    outputs.map(async (output) => ({ path: basename(output.path), text: await output.text() })),
  );
}

function tool(name: string): string {
  return join(JUDGES, "node_modules/.bin", name);
}

async function run(
  command: readonly string[],
  cwd: string,
): Promise<{ readonly output: string; readonly code: number }> {
  const child = Bun.spawn([...command], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  const output = await new Response(child.stdout).text();
  return { output, code: await child.exited };
}
