import { expect, test } from "bun:test";

import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { useExecutable } from "../helpers/executable.ts";
import { folders } from "../helpers/folders.ts";

const { folder } = folders();

const ROOT = join(import.meta.dir, "../..");
const MACHINE = join(ROOT, "test/helpers/compose/machine.sh");
const NAMESPACES = ["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child=KILL"];

const why = process.getuid?.() === 0 ? undefined : "only root can create networks";

/** Returns the commands of a page by their sections. */
async function sections(page: string): Promise<readonly (readonly [string, string])[]> {
  const text = await readFile(page, "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block);
      return [section.slice(0, section.indexOf("\n")), blocks.join("")] as const;
    })
    .filter(([, commands]) => commands !== "");
}

test("every service that a command names is one of compose.yaml", async () => {
  const example = join(ROOT, "examples/compose");
  const { services } = Bun.YAML.parse(await readFile(join(example, "compose.yaml"), "utf8")) as {
    readonly services: Readonly<Record<string, unknown>>;
  };
  const commands = await readFile(join(example, "README.md"), "utf8");
  const named = commands.matchAll(/docker compose (?:exec|kill|start|rm) (?:-\w )?([a-z\d-]+)/g);
  const names = new Set([...named].map(([, name = ""]) => name));
  expect(names).toContain("pets-1");
  expect([...names].filter((name) => !(name in services))).toEqual([]);
});

if (torture) {
  test.skipIf(why !== undefined)(
    `the commands of examples/compose work on real servers in order${why === undefined ? "" : ` (${why})`}`,
    async () => {
      await useExecutable();
      const directory = await folder();
      const example = join(directory, "compose");
      await cp(join(ROOT, "examples/compose"), example, { recursive: true });
      await rm(join(example, "secrets"), { recursive: true, force: true });
      const parts = await sections(join(example, "README.md"));
      const script = join(directory, "commands.sh");
      const lines = parts.map(([title, commands]) => `printf '\\n## ${title}\\n'\n${commands}`);
      await writeFile(script, `set -euo pipefail\n${lines.join("\n")}`);
      const machine = [
        "bash",
        MACHINE,
        join(directory, "state"),
        process.execPath,
        example,
        script,
      ];
      const child = Bun.spawn(["unshare", ...NAMESPACES, ...machine], {
        env: { ...process.env, COMPOSE_PROGRAM: join(ROOT, process.env["TEST_EXECUTABLE"] ?? "") },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [output, complaint] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      expect(await child.exited, `${complaint}\n${output}`).toBe(0);
      const seen = new Map(
        output
          .split("\n## ")
          .slice(1)
          .map((part) => [part.slice(0, part.indexOf("\n")), part] as const),
      );
      expect([...seen.keys()]).toEqual(parts.map(([title]) => title));

      const nodes = /^pets-1 +active .*\npets-2 +active .*\npets-3 +active /m;
      const animals = /\[\{"id":3,"name":"Milo".*"id":2,"name":"Bella".*"id":1,"name":"Rex"/;
      expect(seen.get("Start")).toMatch(nodes);
      expect(seen.get("Use it")).toMatch(animals);
      expect(seen.get("Use it")).toContain("<title>Dogs</title>");
      expect(seen.get("Lose a node")?.match(/\[\{"id":3,/g)).toHaveLength(6);
      expect(seen.get("Lose the primary")).toMatch(animals);
      expect(seen.get("Lose the primary")).toMatch(/db1 +\| streaming \| sync/);
      expect(seen.get("Lose the standby")).toContain('{"id":4,"name":"Luna"');
      expect(seen.get("Lose Valkey")).toContain('[{"id":4,"name":"Luna"');
      expect(seen.get("Upgrade")).toMatch(nodes);
    },
    600_000,
  );
}
