import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import manifest from "../../package.json";
import { namelessTypes } from "../helpers/nameless-types.ts";
import { hostsWithPackage, installed, packed } from "../helpers/nested.ts";

const ROOT = join(import.meta.dir, "../..");
const JUDGES = join(import.meta.dir, "project");
const HOSTS = join(ROOT, "test/node/project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");

const lacking = (await installed("test/packaging/project")) ?? (await hostsWithPackage());
const tarball = lacking === undefined ? await packed() : "";

describe.skipIf(lacking !== undefined)(`the package${lacking ? ` (${lacking})` : ""}`, () => {
  test("publint finds nothing", async () => {
    const { output, code } = await run([tool("publint"), "run", tarball, "--strict"], JUDGES);
    expect(code, output).toBe(0);
    expect(output).toContain("All good!");
  }, 120_000);

  test("the types are right for everyone who can import ES modules", async () => {
    const { output, code } = await run(
      [tool("attw"), tarball, "--profile", "esm-only", "--no-emoji"],
      JUDGES,
    );
    expect(code, output).toBe(0);
  }, 120_000);

  test("it holds what is built, and nothing of the tests and the program", async () => {
    const { output } = await run(["tar", "-tzf", tarball], ROOT);
    const files = output.trim().split("\n");
    const expected =
      /^package\/(dist\/npm\/(lib|adapters|domains)\/[\w/-]+\.(js|d\.ts)|(docs|examples)\/[\w./-]+|[A-Z]+(\.md)?|package\.json)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
  });

  test("links of its README and of its manual lead to files of the package", async () => {
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

  test("it is not published before it says where the project is", async () => {
    const { code } = await run(["node", "scripts/ready-to-publish.mjs"], ROOT);
    const fields: Readonly<Record<string, unknown>> = manifest;
    const known = ["repository", "homepage", "bugs"].every((field) => field in fields);
    expect(code).toBe(known ? 0 : 1);
  });

  test("every type that an exported name leads to is exported too", async () => {
    expect(await namelessTypes(join(HOSTS, "node_modules/petstore"))).toEqual([]);
  });

  test("its types need no types of the DOM", async () => {
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const { output, code } = await run([tsc, "-p", "types/without-dom.json"], HOSTS);
    expect(output).toBe("");
    expect(code).toBe(0);
  }, 120_000);

  test("its types hold with strict settings, without skipLibCheck, in every framework", async () => {
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const { output, code } = await run([tsc, "-p", "types/tsconfig.json"], HOSTS);
    expect(output).toBe("");
    expect(code).toBe(0);
  }, 120_000);

  test("importing it reads no environment and opens no file, socket or timer", async () => {
    const { output, code } = await run(
      [NODE, "--permission", `--allow-fs-read=${HOSTS}/*`, "hosts/imports.js"],
      HOSTS,
    );
    expect(JSON.parse(output)).toEqual({ environment: [], resources: [], threw: [] });
    expect(code).toBe(0);
  });

  test("the core runs on the oldest Node that is promised", async () => {
    const { output } = await run(["node", "hosts/smallest.js"], HOSTS);
    expect(output.trim()).toBe("201");
  });

  test("the SQLite store of Node keeps the contract that the package offers", async () => {
    const { output } = await run([NODE, "hosts/contract.js"], HOSTS);
    const { cases, broken }: { cases: number; broken: string[] } = JSON.parse(output);
    expect(broken).toEqual([]);
    expect(cases).toBeGreaterThan(20);
  }, 120_000);

  test("the client needs nothing that a browser lacks", async () => {
    const built = await Bun.build({
      entrypoints: [join(HOSTS, "node_modules/petstore/dist/npm/lib/client/index.js")],
      target: "browser",
      minify: true,
    });
    const code = (await built.outputs[0]?.text()) ?? "";
    expect(code).not.toMatch(/\bfrom\s*"|require\(|\bprocess\b|\bBuffer\b|node:|bun:/);
    // Nothing of the service is dragged along.
    expect(code.length).toBeLessThan(12_000);
  });

  test("every subpath leads to a file and its types", async () => {
    for (const target of Object.values(manifest.exports)) {
      for (const file of typeof target === "string" ? [target] : Object.values(target)) {
        expect(await Bun.file(join(HOSTS, "node_modules/petstore", file)).exists()).toBe(true);
      }
    }
  });
});

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
