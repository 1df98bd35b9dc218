import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openOffice, type Office } from "../helpers/management.ts";
import { must } from "../helpers/outcome.ts";
import { describeLong } from "../helpers/long.ts";

// They download generators: the table in docs/client.md has their versions and commands.
const SOURCES = join(import.meta.dir, "project/generated");
const MANUAL = join(import.meta.dir, "../../docs/client.md");
const PACKAGES = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.99.0",
  "typescript@5.9.3",
];
const PYTHON = ["openapi-python-client==0.29.1", "mypy==1.18.2"];
const GO = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

describeLong("a generated client", () => {
  let folder = "";
  let office: Office;
  let server: Bun.Server<unknown>;
  let apiKey = "";
  let token = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "petstore-generated-"));
    office = await openOffice();
    server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) =>
        new URL(request.url).pathname.startsWith("/manage/")
          ? office.management.fetch(request)
          : office.petstore.fetch(request),
    });
    ({ token } = await office.issue("operator"));
    const { accountId } = office;
    ({ token: apiKey } = must(await office.petstore.client.keys.create({ accountId })));
    for (const [name, path] of [
      ["public", "/v1"],
      ["manage", "/manage/v1"],
    ] as const) {
      const document = await fetch(new URL(`${path}/openapi.json`, server.url));
      await Bun.write(join(folder, `${name}.json`), await document.text());
    }
    await cp(SOURCES, folder, { recursive: true });
  });
  afterAll(async () => {
    await server?.stop(true);
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a command, whose output is expected to have no warning. */
  async function run(command: readonly string[], cwd = folder, path = ""): Promise<string> {
    const child = Bun.spawn([...command], {
      cwd,
      env: { ...process.env, NO_COLOR: "1", GOFLAGS: "-mod=mod", PATH: path + process.env["PATH"] },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect([command.join(" "), await child.exited, `${out}${err}`.slice(-2_000)]).toEqual([
      command.join(" "),
      0,
      expect.not.stringMatching(/warning/i),
    ]);
    return out;
  }

  /** Runs a program with the generated clients. It adds, changes and lists an animal, and meets a refusal of each API. */
  async function expectWorks(command: readonly string[], cwd = folder): Promise<void> {
    const { origin } = server.url;
    const out = await run([...command, origin, apiKey, token, office.accountId], cwd);
    const { animals, ...told } = JSON.parse(out);
    expect(told).toEqual({
      status: "pending",
      names: ["Rex"],
      code: "invalid_value",
      absent: "not_found",
    });
    expect(animals[0]).toBe("Rex");
  }

  test("of openapi-typescript and of Hey API compiles with strict settings, and works", async () => {
    await Bun.write(join(folder, "package.json"), `{"type":"module"}`);
    await run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", ...PACKAGES]);
    for (const name of ["public", "manage"]) {
      await run(["npx", "openapi-typescript", `${name}.json`, "-o", `${name}.d.ts`]);
      await run(["npx", "openapi-ts", "-i", `${name}.json`, "-o", `hey-${name}`]);
    }
    const target = ["--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler"];
    await Bun.write(join(folder, "globals.d.ts"), "declare const process: { argv: string[] };");
    for (const [file, stricter] of [
      ["openapi-fetch.ts", ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]],
      // The code that Hey API adds to each client does not compile with them.
      ["hey-api.ts", []],
    ] as const) {
      const options = ["--noEmit", "--strict", ...stricter, ...target];
      await run(["npx", "tsc", ...options, "globals.d.ts", file]);
      await expectWorks([process.execPath, file]);
    }
  }, 900_000);

  test.skipIf(Bun.which("python3") === null)(
    "of openapi-python-client has the types of the document in mypy --strict, and works",
    async () => {
      await run(["python3", "-m", "venv", "venv"]);
      const bin = join(folder, "venv/bin");
      await run([`${bin}/pip`, "install", "-q", "--disable-pip-version-check", ...PYTHON]);
      const [, config = ""] = /```yaml\n(.*?)```/s.exec(await Bun.file(MANUAL).text()) ?? [];
      await Bun.write(join(folder, "python.yml"), config);
      for (const name of ["public", "manage"]) {
        await run(
          [
            ...[`${bin}/openapi-python-client`, "generate", "--path", `${name}.json`],
            ...["--output-path", name, "--meta", "none", "--fail-on-warning"],
            ...["--config", "python.yml"],
          ],
          folder,
          `${bin}:`,
        );
      }
      // The code that the generator adds to each client does not pass it.
      await run([`${bin}/mypy`, "--strict", "--follow-imports=silent", "client.py"]);
      await expectWorks([`${bin}/python`, "client.py"]);
    },
    900_000,
  );

  test.skipIf(Bun.which("go") === null)(
    "of oapi-codegen compiles, and works",
    async () => {
      const go = join(folder, "go");
      for (const name of ["public", "manage"]) {
        await mkdir(join(go, name), { recursive: true });
        await run(
          [
            ...["go", "run", GO, "-generate", "types,client,skip-prune", "-package", name],
            ...["-o", `go/${name}/client.gen.go`, `${name}.json`],
          ],
          folder,
        );
      }
      await cp(join(SOURCES, "main.go"), join(go, "main.go"));
      await Bun.write(
        join(go, "go.mod"),
        "module example.org/pets\n\ngo 1.26\n\nrequire github.com/oapi-codegen/runtime v1.9.0\n",
      );
      await run(["go", "build", "-o", "pets", "."], go);
      await expectWorks(["./pets"], go);
    },
    900_000,
  );
});
