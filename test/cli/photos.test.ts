import { expect, test } from "bun:test";

import { join } from "node:path";

import { exifOf, exifSegment, jpegOf, jpegWith, pngOf } from "../helpers/pictures.ts";
import { installation, scratch, type Installation } from "./installation.ts";

async function animal(here: Installation): Promise<readonly string[]> {
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  const of = ["--account", id];
  const file = join(await scratch(), "animals.csv");
  await Bun.write(file, "name,category\nBella,Dogs\n");
  await here.run("pets", "import", file, ...of);
  return of;
}

test("photos are added, listed, removed, and exported with their files", async () => {
  const here = await installation();
  const of = await animal(here);
  const at = await scratch();
  const [tall, wide, cut] = ["tall.jpg", "wide.png", "cut.jpg"].map((name) => join(at, name));
  if (tall === undefined || wide === undefined || cut === undefined) throw new Error("no paths");
  const jpeg = await jpegOf({ width: 900, height: 600 });
  await Bun.write(tall, jpegWith(jpeg, exifSegment(exifOf(6))));
  await Bun.write(wide, await pngOf({ width: 700, height: 300 }));
  await Bun.write(cut, jpeg.subarray(0, -50));
  {
    await using _server = await here.serve();
    expect(await here.run("pets", "photos", "add", "1", tall, cut, wide, ...of)).toEqual({
      exitCode: 1,
      stdout: `1  ${tall}  600 × 900\n2  ${wide}  700 × 300\n`,
      stderr: `${cut}: The end of the picture is missing. It was cut off when it was copied or sent. Send the original again.\n`,
    });
    const alt = ["--alt", "Bella in the garden"];
    expect((await here.run("pets", "photos", "add", "1", wide, ...alt, ...of)).exitCode).toBe(0);
    expect((await here.run("pets", "photos", "list", "1", ...of)).stdout).toBe(
      "ID  PIXELS     FOCUS  ALT\n1   600 × 900\n2   700 × 300\n3   700 × 300         Bella in the garden\n",
    );
    expect(await here.run("pets", "photos", "remove", "1", "2", "--yes", ...of)).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "Photo 2 was removed.\n",
    });
  }
  const exported = join(at, "export");
  expect((await here.run("export", exported, "--all")).exitCode).toBe(0);
  const manifest = await Bun.file(join(exported, "manifest.json")).json();
  expect(manifest.blobs).toMatchObject({ count: 2, missing: 0 });
});

test("a file that is missing or too large, or an unknown animal, is reported before anything is sent", async () => {
  const here = await installation();
  const of = await animal(here);
  const at = await scratch();
  const large = join(at, "large.jpg");
  await Bun.write(large, new Uint8Array(25 * 1_024 * 1_024 + 1));
  const good = join(at, "good.png");
  await Bun.write(good, await pngOf({ width: 9, height: 9 }));
  const add = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await here.run("pets", "photos", "add", ...args, ...of);
    return [exitCode, stderr.split("\n")[0]];
  };
  expect(await add("1", good, join(at, "none.jpg"))).toEqual([
    4,
    `petstore: The file ${join(at, "none.jpg")} does not exist.`,
  ]);
  expect(await add("1", good, large)).toEqual([
    1,
    `petstore: ${large} is larger than 25 MiB, the most that a photo can have. Make it smaller.`,
  ]);
  expect(await add("9", good)).toEqual([4, expect.stringContaining("such animal")]);
  expect(await add("1")).toEqual([2, "petstore: FILE is required."]);
  expect((await here.run("pets", "photos", "list", "1", "--json", ...of)).stdout).toBe("[]\n");
});
