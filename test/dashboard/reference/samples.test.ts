import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  sampleIn,
  sampleLanguages,
  type SampleLanguage,
} from "../../../dashboard/reference/model/call.ts";
import { plainCall } from "../../../dashboard/reference/model/reference.ts";
import { torture } from "../../helpers/chance.ts";
import { openOffice, type Office } from "../../helpers/management.ts";
import { must } from "../../helpers/outcome.ts";
import { management, reference } from "../../helpers/reference.ts";

/** The one for which Debian has the package requests. */
const PYTHON = Bun.which("python3", { PATH: `/usr/bin:${process.env["PATH"] ?? ""}` });
const GOFMT = Bun.which("gofmt");
const GO = Bun.which("go");

/** Every sample of an operation, in every language. */
const samples = [reference, management].flatMap(({ operations, schemas }) =>
  operations.map((operation) => ({
    id: operation.id,
    call: plainCall(operation, schemas, "http://127.0.0.1:8080/v1"),
  })),
);
const all = (language: SampleLanguage): readonly string[] =>
  samples.map(({ call }) => sampleIn(language, call));

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "samples-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Returns whether a text closes what it opens. */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const [one] of text
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, "")
    .matchAll(/[()[\]{}"`]/g)) {
    if ("([{".includes(one)) open.push(one);
    else if (`${open.pop() ?? ""}${one}` !== { ")": "()", "]": "[]", "}": "{}" }[one]) return false;
  }
  return open.length === 0;
}

/** Runs a command and returns its output; throws when it fails. */
async function outputOf(
  command: readonly string[],
  { input = "", env = {} }: { readonly input?: string; readonly env?: Record<string, string> } = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${error}`);
  return out;
}

describe("the samples of all operations are valid", () => {
  test("curl, for a POSIX shell", async () => {
    const called = await outputOf(["sh"], {
      // Each call prints how many addresses it got.
      input: `curl() { echo "$*" | grep -o "http://" | wc -l; }\n${all("curl").join("\n")}\n`,
    });
    expect(called.trim().split(/\s+/)).toEqual(samples.map(() => "1"));
  });

  test("JavaScript", () => {
    const transpiler = new Bun.Transpiler({ loader: "js" });
    for (const text of all("JavaScript")) {
      expect(transpiler.transformSync(text)).toContain("fetch(");
    }
  });

  test("Python", async () => {
    const check = "import json, sys\nfor s in json.load(sys.stdin): compile(s, 'sample', 'exec')";
    await outputOf([PYTHON ?? "", "-c", check], { input: JSON.stringify(all("Python")) });
  });

  // Debian's Go is too large to be installed for a check of its samples.
  test.skipIf(GOFMT === null && torture)("Go, formatted as gofmt does (needs Go)", async () => {
    if (GOFMT === null) return expect(all("Go").filter((text) => !isBalanced(text))).toEqual([]);
    await Promise.all(
      all("Go").map((text, index) => Bun.write(join(folder, "go", `${index}.go`), `${text}\n`)),
    );
    expect(await outputOf([GOFMT ?? "", "-l", "-e", "go"])).toBe("");
  });
});

test("a sample of every operation names its credential, its body and its file", () => {
  for (const { id, call } of samples) {
    for (const language of sampleLanguages) {
      const text = sampleIn(language, call);
      expect([id, language, text.includes(call.url)]).toEqual([id, language, true]);
      const secret = call.secret ?? "PETSTORE_";
      expect([id, text.includes(secret)]).toEqual([id, call.secret !== null]);
      if (call.upload !== undefined) expect(text).toContain(call.upload.name);
      expect(text).not.toMatch(/undefined|\[object/);
    }
  }
});

describe("samples work against a running server", () => {
  let office: Office;
  let server: ReturnType<typeof Bun.serve>;
  let env: Record<string, string>;

  beforeAll(async () => {
    office = await openOffice();
    const { petstore, accountId } = office;
    const made = must(
      await petstore.client.keys.create({ accountId, environment: "production", name: "samples" }),
    );
    const { token } = await office.issue("viewer");
    env = { PETSTORE_KEY: made.token, PETSTORE_TOKEN: token };
    server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) =>
        new URL(request.url).pathname.startsWith("/manage/")
          ? office.management.fetch(request)
          : office.petstore.fetch(request),
    });
  });

  afterAll(async () => {
    await server?.stop(true);
  });

  /** Returns the sample of an operation, for the running server. */
  function sampleOf(language: SampleLanguage, id: string): string {
    const { operations, schemas, api } = [reference, management].find((one) =>
      one.operations.some((operation) => operation.id === id),
    ) ?? { ...reference, operations: [] };
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`There is no operation ${id}.`);
    const root = api.page === "/docs" ? "v1" : "manage/v1";
    const call = plainCall(operation, schemas, `${server.url}${root}`);
    return sampleIn(language, { ...call, url: call.url.replace("ACCOUNT", office.accountId) });
  }

  const cases: readonly (readonly [id: string, printed: RegExp])[] = [
    ["createPet", /["']?name["']?: ?["']Rex["']/],
    ["listPets", /["']?status["']?: ?["']available["']/],
    ["listKeys", /["']?name["']?: ?["']samples["']/],
  ];

  const runners: Readonly<
    Record<
      SampleLanguage,
      { readonly missing?: string; readonly run: (text: string, id: string) => Promise<string> }
    >
  > = {
    curl: { run: (text) => outputOf(["sh", "-c", text.replace("curl ", "curl -s ")], { env }) },
    JavaScript: {
      run: async (text, id) => {
        await Bun.write(join(folder, `${id}.mjs`), text);
        return outputOf([process.execPath, `${id}.mjs`], { env });
      },
    },
    Python: {
      run: (text) => outputOf([PYTHON ?? "", "-c", text], { env }),
    },
    Go: {
      ...(GO === null ? { missing: "needs Go" } : {}),
      run: async (text, id) => {
        const path = join(folder, `${id}-run`, "main.go");
        await Bun.write(path, text);
        return outputOf([GO ?? "", "run", path], { env });
      },
    },
  };

  for (const language of sampleLanguages) {
    const { missing, run } = runners[language];
    if (language === "Go" && !torture) continue;
    test.skipIf(missing !== undefined)(
      `in ${language}${missing === undefined ? "" : ` (${missing})`}`,
      async () => {
        for (const [id, printed] of cases) {
          expect([id, await run(sampleOf(language, id), id)]).toEqual([
            id,
            expect.stringMatching(printed),
          ]);
        }
      },
    );
  }

  test("a deletion prints its status, in JavaScript", async () => {
    await runners.JavaScript.run(sampleOf("JavaScript", "createPet"), "createPet");
    const printed = await runners.JavaScript.run(sampleOf("JavaScript", "deletePet"), "deletePet");
    expect(printed.trim()).toBe("204");
  });
});
