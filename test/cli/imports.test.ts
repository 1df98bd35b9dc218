import { expect, test } from "bun:test";

import { join } from "node:path";

import { MINUTE_MS } from "../../lib/base/clock.ts";
import { openOffice } from "../helpers/management.ts";
import { pngOf } from "../helpers/pictures.ts";
import { zipOfEntries } from "../helpers/zips.ts";
import { installation, scratch } from "./installation.ts";
import { commandLine, type CommandLine } from "./typed.ts";

interface Desk {
  readonly line: CommandLine;
  /** Imports a file, answering what is asked. */
  readonly answering: (
    content: string | Uint8Array,
    ...answers: readonly string[]
  ) => Promise<Awaited<ReturnType<CommandLine["answering"]>>>;
  /** The animals, as `name category status`. */
  readonly animals: () => Promise<readonly string[]>;
}

async function openDesk(): Promise<Desk> {
  const office = await openOffice();
  const line = await commandLine(office);
  const { id } = await line.json<{ id: string }>("accounts", "create", "Otters");
  const of = ["--account", id];
  return {
    line,
    answering: async (content, ...answers) => {
      await office.clock.advance(MINUTE_MS);
      const file = join(await scratch(), "animals.csv");
      await Bun.write(file, content as string);
      return line.answering(answers, "pets", "import", file, ...of);
    },
    animals: async () => {
      const all = await line.json<{ name: string; category: string; status: string }[]>(
        ...["pets", "export", ...of],
      );
      return all.map(({ name, category, status }) => `${name} ${category} ${status}`);
    },
  };
}

test("on a terminal, what a file leaves open is asked question by question, and the options for next time are shown", async () => {
  const { answering, animals, line } = await openDesk();
  using _line = line;
  const file = "Tiernme,Spezi,stauts\nMinka,Katze,weg\nRex,Dragon,da\nBo,Unicorn,da\n,Hund,da\n";
  const done = await answering(file, "9", "1", "2", "3", "s", "c", "a", "y");
  const [name = "", again = "", category = "", status = "", first = "", ...rest] = done.asked;
  expect(name).toContain("We found no column with the animals' names");
  expect(name).toContain("  1  Tiernme\n  2  Spezi\n  3  stauts\n");
  expect(again).toBe(name);
  expect(done.stderr).toContain("That is none of the choices.");
  expect(category).toContain("Which column is the category?");
  expect(status).toContain("If no column has it, all animals are: a available");
  expect(first).toContain('What does "weg" mean? a available, p pending, s sold');
  expect(rest[0]).toContain('Which category is "Dragon"? Type its number, c to create it');
  expect(rest[1]).toContain('What does "da" mean?');
  expect(rest[2]).toContain("Import the other 3 animals, and leave out 1 row? [y/N]");
  expect([done.asked.length, done.exitCode]).toEqual([8, 0]);
  expect(done.stdout).toContain("3 added");
  expect(done.stderr).toContain(
    "--map name=Tiernme --map category=Spezi --map status=stauts --value status:weg=sold --value status:da=available --create-categories",
  );
  expect(await animals()).toEqual([
    "Minka Cats sold",
    "Rex Dragon available",
    "Bo Unicorn available",
  ]);
});

test("an animal that is there already, and another encoding, are asked about", async () => {
  const { answering, animals, line } = await openDesk();
  using _line = line;
  const rex = "name,category\nRex,Dogs\n";
  await answering(rex);
  const skipped = await answering(`${rex}Bo,Dogs\n`, "y");
  expect(skipped.asked).toEqual([expect.stringContaining("Are they the same animals?")]);
  expect(skipped.stdout).toContain("1 added, 1 left out");
  const old = Uint8Array.from("name,category\nM\u00FCsli,Cats\n", (one) => one.charCodeAt(0));
  const read = await answering(old, "y");
  expect(read.asked[0]).toContain("Read it as Windows-1252? [y/N]");
  expect(read.asked[0]).not.toContain("--encoding");
  expect(await animals()).toEqual([
    "Rex Dogs available",
    "Bo Dogs available",
    "Müsli Cats available",
  ]);
});

test("who answers no, or ends the input, has imported nothing, and sees the options that answer", async () => {
  const { answering, animals, line } = await openDesk();
  using _line = line;
  for (const answers of [[], ["n"]]) {
    const ended = await answering("name,category\nRex,Dogs\n,Cats\n", ...answers);
    expect([ended.exitCode, ended.stdout]).toEqual([
      1,
      expect.stringContaining("Nothing was imported."),
    ]);
    expect(ended.stderr).toContain("--good-rows");
  }
  expect(await animals()).toEqual([]);
});

test("photos in a zip are imported beside a table or with it, and an export with photos comes back the same", async () => {
  const here = await installation();
  const at = await scratch();
  const [table, photos, both, exported] = ["animals.csv", "photos.zip", "both.zip", "out.zip"].map(
    (name) => join(at, name),
  );
  if (!table || !photos || !both || !exported) throw new Error("no paths");
  const csv = "name,category,externalId\nMinka,Cats,A1\nRex,Dogs,B2\n";
  const pictures = [
    { name: "A1-2.png", content: await pngOf({ width: 40, height: 30 }), stored: true },
    { name: "A1.png", content: await pngOf({ width: 30, height: 40 }), stored: true },
    { name: "Rex.png", content: await pngOf({ width: 50, height: 30 }), stored: true },
    { name: "Nobody.png", content: await pngOf({ width: 5, height: 3 }), stored: true },
    { name: "photos.csv", content: "file,alt,focusX,focusY\nA1.png,Minka sleeps,20,70\n" },
  ];
  await Bun.write(table, csv);
  await Bun.write(photos, zipOfEntries(pictures));
  await Bun.write(both, zipOfEntries([{ name: "animals.csv", content: csv }, ...pictures]));
  await using _server = await here.serve();
  const account = async (name: string) =>
    ["--account", (await here.json<{ id: string }>("accounts", "create", name)).id] as const;
  const shown = async (of: readonly string[]) => {
    const all: unknown[] = [];
    for (const pet of ["1", "2"]) {
      const one = await here.json<{ id: number; width: number; alt?: string; focus?: object }[]>(
        ...["pets", "photos", "list", pet, ...of],
      );
      all.push(one.map(({ id, width, alt, focus }) => [id, width, alt, focus]));
    }
    return all;
  };
  const expected = [
    [
      [1, 30, "Minka sleeps", { x: 20, y: 70 }],
      [2, 40, undefined, undefined],
    ],
    [[1, 50, undefined, undefined]],
  ];
  const beside = await account("Beside");
  const done = await here.run("pets", "import", table, "--photos", photos, ...beside);
  expect([done.exitCode, done.stdout.split("\n")[0]]).toEqual([0, "2 added, 0 failed, 3 photos."]);
  expect(done.stderr).toContain(
    'Warning: 1 picture of the archive belongs to no animal: "Nobody.png"',
  );
  expect(await shown(beside)).toEqual(expected);
  const inside = await account("Inside");
  expect((await here.run("pets", "import", both, ...inside)).stdout).toContain("3 photos");
  expect(await shown(inside)).toEqual(expected);
  const written = await here.run("pets", "export", "--photos", "--output", exported, ...beside);
  expect([written.exitCode, written.stderr]).toEqual([
    0,
    `Wrote 2 animals and 3 photos to ${exported}\n`,
  ]);
  const back = await account("Back");
  const again = await here.run("pets", "import", exported, ...back);
  expect([again.exitCode, again.stdout.split("\n")[0], again.stderr]).toEqual([
    0,
    "2 added, 0 failed, 3 photos.",
    "",
  ]);
  expect(await shown(back)).toEqual(expected);
  const table1 = await here.run("pets", "export", ...beside);
  expect((await here.run("pets", "export", ...back)).stdout).toBe(table1.stdout);

  const refused = await here.run(
    "pets",
    "import",
    table,
    "--photos",
    table,
    ...(await account("No")),
  );
  expect([refused.exitCode, refused.stderr]).toEqual([
    1,
    expect.stringContaining("The photos are no zip archive"),
  ]);
  const nowhere = await here.run("pets", "export", "--photos", ...beside);
  expect([nowhere.exitCode, nowhere.stderr]).toEqual([
    2,
    expect.stringContaining("--photos needs --output FILE."),
  ]);
});
