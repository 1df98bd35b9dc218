import { expect, test } from "bun:test";

import { join } from "node:path";

import { gzipped, joined, rawEntry, tarEnd } from "../../../helpers/tar.ts";
import { folders } from "../../../helpers/folders.ts";

const { folder } = folders();

const MIB = 1_048_576;
interface Told {
  readonly grownMiB: number;
  readonly kept: number;
  readonly problem?: { readonly code: string; readonly message: string };
}

async function takenInChild(archive: Uint8Array): Promise<Told> {
  const path = await folder();
  await Bun.write(join(path, "site.tgz"), archive);
  const child = Bun.spawn(
    [
      process.execPath,
      Bun.fileURLToPath(new URL("./bomb.ts", import.meta.url)),
      join(path, "site.tgz"),
    ],
    { stdout: "pipe", stderr: "inherit" },
  );
  const output = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return JSON.parse(output) as Told;
}

test("200 MB of zeros in 200 KB are refused in little memory", async () => {
  const parts = Array.from({ length: 8 }, (_, index) => [
    rawEntry({ name: `${index}.bin`, size: 25 * MIB }),
    new Uint8Array(25 * MIB),
  ]);
  const bomb = gzipped(joined([...parts.flat(), tarEnd]));
  expect(bomb.length).toBeLessThan(210_000);
  const { problem, grownMiB, kept } = await takenInChild(bomb);
  expect(problem?.code).toBe("payload_too_large");
  expect(problem?.message).toContain("100 times its size");
  expect(kept).toBeLessThan(25 * MIB);
  expect(grownMiB).toBeLessThan(40);
});

test("100 MiB of photos are ingested in bounded memory", async () => {
  const photo = crypto.getRandomValues(new Uint8Array(65_536));
  const content = joined(Array.from({ length: 400 }, () => photo));
  const parts = Array.from({ length: 4 }, (_, index) => [
    rawEntry({ name: `${index}.jpg`, size: content.length }),
    content,
  ]);
  const { problem, grownMiB, kept } = await takenInChild(
    gzipped(joined([...parts.flat(), tarEnd]), 0),
  );
  expect(problem).toBeUndefined();
  expect(kept).toBe(4 * content.length);
  expect(grownMiB).toBeLessThan(60);
});
