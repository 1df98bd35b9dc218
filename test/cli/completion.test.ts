import { describe, expect, test } from "bun:test";

import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

import { commands } from "../../cli/commands.ts";
import { completionFor } from "../../cli/completion.ts";
import { torture } from "../helpers/chance.ts";
import { command } from "../helpers/process.ts";
import { installation, scratch } from "./installation.ts";

/** A folder with the scripts, and a program in its `bin` that is found as `petstore`. */
async function shellFolder(): Promise<string> {
  const folder = await scratch();
  await mkdir(join(folder, "bin"));
  const program = join(folder, "bin/petstore");
  await Bun.write(program, `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  await chmod(program, 0o755);
  await Bun.write(join(folder, "petstore.bash"), completionFor("bash", commands));
  await Bun.write(join(folder, "_petstore"), completionFor("zsh", commands));
  await Bun.write(join(folder, "petstore.fish"), completionFor("fish", commands));
  await mkdir(join(folder, "work/my site"), { recursive: true });
  await Bun.write(join(folder, "work/animals.csv"), "name\n");
  return folder;
}

function environmentIn(folder: string): Record<string, string> {
  return {
    PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    LANG: "C.UTF-8",
    TERM: "dumb",
    PS1: "> ",
  };
}

async function script(shell: readonly string[], text: string, folder: string): Promise<string> {
  const child = Bun.spawn([...shell, "-c", text], {
    cwd: join(folder, "work"),
    env: environmentIn(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, err]).toEqual([0, ""]);
  return out;
}

/** Returns what bash offers after each line, without its readline. */
async function bashOffers(lines: readonly string[], folder: string): Promise<readonly string[][]> {
  const calls = lines.map((line) => `offers ${shellQuoted(line)}`).join("\n");
  const text = `source ../petstore.bash
offers() { COMP_LINE=$1; COMP_POINT=\${#1}; _petstore 2>&1; printf '%s\\n' "\${COMPREPLY[@]}" "--end--"; }
${calls}`;
  return offersIn(await script(["bash", "--norc"], text, folder));
}

async function fishOffers(lines: readonly string[], folder: string): Promise<readonly string[][]> {
  const calls = lines.map((line) => `complete -C ${shellQuoted(line)}; echo -- --end--`).join("\n");
  const out = await script(["fish", "--no-config"], `source ../petstore.fish\n${calls}`, folder);
  return offersIn(out.replaceAll(/\t.*$/gm, ""));
}

function offersIn(output: string): readonly string[][] {
  return output
    .split("--end--\n")
    .slice(0, -1)
    .map((part) =>
      part
        .split("\n")
        .filter((line) => line !== "")
        .toSorted(),
    );
}

function shellQuoted(line: string): string {
  return `'${line.replaceAll("'", String.raw`'\''`)}'`;
}

/** Types lines, each followed by TAB, into a shell on a terminal; each must then show its text. */
async function typeInto(
  shell: readonly string[],
  setUp: string,
  folder: string,
  typed: readonly (readonly [line: string, shown: string])[],
): Promise<void> {
  let screen = "";
  const decoder = new TextDecoder();
  await using terminal = new Bun.Terminal({
    cols: 200,
    rows: 50,
    data: (_, bytes) => {
      screen += decoder.decode(bytes, { stream: true }).replaceAll("\r", "");
    },
  });
  const child = Bun.spawn([...shell], {
    cwd: join(folder, "work"),
    env: environmentIn(folder),
    terminal,
  });
  const until = async (shown: string): Promise<void> => {
    const givesUpAt = performance.now() + 60_000;
    while (!screen.includes(shown)) {
      if (performance.now() > givesUpAt) throw new Error(`${shown} was not shown:\n${screen}`);
      await Bun.sleep(5);
    }
  };
  try {
    terminal.write(`${setUp}; echo is-"ready"\n`);
    await until("is-ready");
    for (const [line, shown] of typed) {
      screen = "";
      terminal.write(`${line}\t`);
      await until(shown);
      // Clears the line.
      terminal.write("\u0015");
    }
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

const AFTER: readonly (readonly [string, readonly string[]])[] = [
  ["petstore acc", ["accounts"]],
  ["petstore accounts plan acc_1 ", ["business", "enterprise", "free", "pro"]],
  ["petstore accounts plan --data-dir x acc_1 p", ["pro"]],
  ["petstore accounts plan acc_1 pro ", []],
  ["petstore keys create --e", ["--environment", "--expires-in"]],
  ["petstore keys create --json --environment ", ["production", "staging"]],
  ["petstore help pets photos ", ["add", "list", "remove"]],
  ["petstore domains verify --wait --p", ["--project"]],
  ["petstore pets set 7 --size l", ["large"]],
  ["petstore serve --log-level ", ["debug", "error", "info", "warn"]],
  ["petstore completion ", ["bash", "fish", "zsh"]],
  ["petstore nothing ", []],
];

/** Every group and command, and what it must offer: the next words, or else its options. */
const everything = [...new Set(commands.flatMap(({ path }) => pathsTo(path)))].flatMap((path) => {
  const own = commands.find((one) => one.path === path);
  if (own === undefined) {
    const below = commands.filter((one) => one.path.startsWith(`${path} `));
    const next = below.map((one) => one.path.slice(path.length + 1).split(" ")[0] ?? "");
    return [{ line: `petstore ${path} `, offered: [...new Set(next)].toSorted() }];
  }
  const flags = own.flags.filter(([, { unlisted }]) => unlisted !== true);
  const options = flags.map(([, { name }]) => `--${name}`);
  return [{ line: `petstore ${path} --`, offered: [...options, "--help"].toSorted() }];
});

const sampled = (_: unknown, index: number): boolean => index % 9 === 0;

function pathsTo(path: string): readonly string[] {
  const words = path.split(" ");
  return words.map((_, index) => words.slice(0, index + 1).join(" "));
}

describe.each([
  ["bash", bashOffers],
  ["fish", fishOffers],
] as const)("%s", (shell, offers) => {
  test("offers what can follow", async () => {
    const lines = AFTER.map(([line]) => line);
    expect(await offers(lines, await shellFolder())).toEqual(AFTER.map(([, words]) => [...words]));
  });

  test("offers every word and option of every command", async () => {
    // fish takes 60 ms for each.
    const some = shell === "bash" || torture ? everything : everything.filter(sampled);
    const offered = await offers(
      some.map(({ line }) => line),
      await shellFolder(),
    );
    for (const [index, { line, offered: expected }] of some.entries()) {
      expect([line, offered[index]]).toEqual([line, expected]);
    }
  });
});

describe("on a terminal", () => {
  test("bash completes words, values after = and :, files and directories", async () => {
    const setUp =
      "source ../petstore.bash; bind 'set enable-bracketed-paste off' 'set show-all-if-ambiguous on'";
    await typeInto(["bash", "--norc", "--noprofile", "-i"], setUp, await shellFolder(), [
      ["petstore acc", "petstore accounts "],
      ["petstore keys create --environment=st", "--environment=staging "],
      ["petstore keys create --scope pets:w", "--scope pets:write "],
      ["petstore pets import an", "import animals.csv "],
      ["petstore deploy my", String.raw`deploy my\ site/`],
      ["petstore accounts plan acc_1 ", "business"],
    ]);
  });

  test("zsh completes words, values, files and directories, and describes them", async () => {
    const setUp = "fpath=(.. $fpath); autoload -Uz compinit; compinit -u -D";
    await typeInto(["zsh", "-f", "-i"], setUp, await shellFolder(), [
      ["petstore acc", "petstore accounts "],
      ["petstore accounts ", "suspend  -- Reject an account's keys"],
      ["petstore keys create --environment=st", "--environment=staging "],
      ["petstore keys create --scope pets:w", "--scope pets:write "],
      ["petstore help pets photos ", "remove  -- Remove a photo of an animal"],
      ["petstore accounts plan acc_1 ", "enterprise"],
      ["petstore pets import an", "import animals.csv "],
      ["petstore deploy ", String.raw`deploy my\ site/`],
      ["petstore keys create --na", "petstore keys create --name"],
    ]);
  });
});

test("IDs are completed from the server that runs on the data directory, and from no other", async () => {
  const folder = await shellFolder();
  const here = await installation();
  const asked: string[] = [];
  using elsewhere = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      asked.push(url);
      return new Response();
    },
  });
  const account = `petstore accounts plan --data-dir ${here.dataDir} `;
  const lines = [
    account,
    `petstore deploy --data-dir=${here.dataDir} --project `,
    `petstore accounts plan --server ${elsewhere.url.origin} `,
  ];
  expect(await bashOffers(lines, folder)).toEqual([[], [], []]);
  // Nothing was created for it.
  expect(await readdir(here.path("..")).catch(() => [])).toEqual([]);

  await using _server = await here.serve();
  const name = "$(touch ../taken)`touch ../taken`";
  const { id } = await here.json<{ readonly id: string }>("accounts", "create", name);
  await here.json("projects", "create", "Cats", "--slug", "cats", "--account", id);
  expect(await bashOffers(lines, folder)).toEqual([[id], ["cats"], []]);
  expect(await fishOffers(lines, folder)).toEqual([[id], ["cats"], []]);
  const setUp = "fpath=(.. $fpath); autoload -Uz compinit; compinit -u -D";
  await typeInto(["zsh", "-f", "-i"], setUp, folder, [[account, `${account}${id} `]]);
  expect(await Bun.file(join(folder, "taken")).exists()).toBe(false);
  expect(asked).toEqual([]);
});
