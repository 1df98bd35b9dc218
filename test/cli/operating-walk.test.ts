import { expect, test } from "bun:test";

import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { scriptsOf } from "../backup/commands.ts";
import { scratch } from "./installation.ts";
import { freePort } from "../helpers/free-ports.ts";
import { command } from "../helpers/process.ts";

test("the commands of docs/operating.md lead from the first start through an incident to an update", async () => {
  const home = await scratch();
  await mkdir(join(home, "bin"));
  const petstore = join(home, "bin/petstore");
  await writeFile(petstore, `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  await chmod(petstore, 0o755);
  let script = (await scriptsOf("walk")).join("\n");
  for (const written of [":8080", ":9180"]) {
    script = script.replaceAll(written, `:${await freePort()}`);
  }
  const child = Bun.spawn(["sh", "-e", "-c", script], {
    cwd: home,
    env: { PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}` },
    // The server keeps them open.
    stdio: ["ignore", Bun.file(join(home, "stdout")), Bun.file(join(home, "stderr"))],
  });
  try {
    const exitCode = await child.exited;
    const [output, complaint] = await Promise.all(
      ["stdout", "stderr"].map((name) => readFile(join(home, name), "utf8")),
    );
    expect([exitCode, output, complaint]).toEqual([0, output, complaint]);
    // The animal outlived the process that was killed.
    expect(output?.match(/"name":"Biscuit"/g)).toHaveLength(2);
    expect(output).toContain("petstore_ready 1\n");
    expect(output).toContain("petstore_backup_failures 0\n");
    expect(output).toMatch(/\d+ rows?, none changed, removed or moved\./);
    expect(output).toContain("The backup is sound: ");
    expect(output).not.toContain("FAIL");
  } finally {
    const pid = Number(await readFile(join(home, "petstore.pid"), "utf8").catch(() => "0"));
    if (pid > 0) process.kill(pid, "SIGKILL");
  }
});
