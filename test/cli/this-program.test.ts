import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MODULE = join(import.meta.dir, "../../server/process/this-program.ts");

test("a program that an upgrade has replaced starts the version that runs", async () => {
  const directory = await mkdtemp(join(tmpdir(), "petstore-program-"));
  const [script, program] = [join(directory, "main.ts"), join(directory, "main")];
  await writeFile(
    script,
    `import { unlinkSync } from "node:fs";
    import { thisProgram } from ${JSON.stringify(MODULE)};
    if (process.argv.includes("--child")) {
      console.log("started");
    } else {
      unlinkSync(process.execPath);
      const child = Bun.spawn([...thisProgram(), "--child"], { stdio: ["ignore", "inherit", "inherit"] });
      process.exitCode = await child.exited;
    }`,
  );
  await Bun.build({ entrypoints: [script], compile: { outfile: program } });
  const { stdout, stderr } = Bun.spawnSync([program]);
  expect([stdout.toString(), stderr.toString()]).toEqual(["started\n", ""]);
  await rm(directory, { recursive: true });
});
