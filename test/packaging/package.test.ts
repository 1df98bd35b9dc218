import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import manifest from "../../package.json";
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
      /^package\/(dist\/npm\/(lib|adapters|domains)\/[\w/-]+\.(js|d\.ts)|[A-Z]+(\.md)?|package\.json)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
  });

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
