import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { chmod, copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

import { writeArchive } from "../../scripts/releasing/archive.ts";
import manifest from "../../package.json";
import { ENCRYPTION_KEY } from "../fixtures/database.ts";
import { folders } from "../helpers/folders.ts";
import { command } from "../helpers/process.ts";

const PAGE = "docs/releasing.md";
const FIXTURE = new URL("../fixtures/2026-11.db.gz", import.meta.url);
const { folder } = folders();

/** Returns the commands of a block of the page. */
async function script(name: string): Promise<string> {
  const page = await Bun.file(new URL(`../../${PAGE}`, import.meta.url)).text();
  const [, written = ""] =
    new RegExp(`<!-- ${name}:begin -->\\n\`\`\`sh\\n([^]*?)\`\`\`\\n<!-- ${name}:end -->`).exec(
      page,
    ) ?? [];
  expect(written).not.toBe("");
  return written;
}

/** Runs commands as a stranger types them; fails with the first that fails. */
async function typed(commands: string, directory: string): Promise<string> {
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", commands], {
    cwd: directory,
    env: {
      PATH: `${join(directory, "usr/local/bin")}:${process.env["PATH"] ?? ""}`,
      HOME: directory,
      TZ: "UTC",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, err]).toEqual([0, err]);
  return out;
}

function migrations(path: string): unknown {
  using database = new Database(path, { readonly: true });
  return database.query("SELECT * FROM schema_migrations ORDER BY 1, 2").all();
}

test("the commands that install, update and go back work as documented", async () => {
  const here = await folder();
  const name = "petstore-0.2.0-linux-x64.tar.gz";
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  await writeArchive(
    join(here, name),
    [
      {
        path: "petstore",
        content: text(`#!/bin/sh\nexec ${command.join(" ")} "$@"\n`),
        executable: true,
      },
      { path: "completions/petstore.bash", content: text("") },
      { path: "petstore.1", content: text("") },
    ],
    0,
  );
  const sum = Bun.SHA256.hash(await Bun.file(join(here, name)).bytes(), "hex");
  await Bun.write(join(here, "SHA256SUMS"), `${sum}  ${name}\n${"0".repeat(64)}  other.zip\n`);
  const installed = await typed(await script("install"), here);
  expect(installed).toContain(`${name}: OK`);
  expect(installed).toContain(`petstore ${manifest.version} (`);

  // An installation that an older version wrote.
  await mkdir(join(here, "petstore-data"), { mode: 0o700 });
  const database = join(here, "petstore-data/petstore.db");
  await Bun.write(database, Bun.gunzipSync(await Bun.file(FIXTURE).bytes()));
  await Bun.write(
    join(here, "petstore-data/encryption.key"),
    Buffer.from(ENCRYPTION_KEY).toString("base64"),
  );
  await chmod(join(here, "petstore-data/encryption.key"), 0o600);
  await copyFile(database, join(here, "original.db"));
  const before = migrations(join(here, "original.db"));
  await typed("petstore accounts list", here);
  expect(migrations(database)).not.toEqual(before);

  await typed(await script("update"), here);
  expect(await readdir(join(here, "backups/backups"))).not.toEqual([]);
  const back = await script("back");
  const [last = "", ...others] = back.trim().split("\n").toReversed();
  expect(last).toStartWith("./petstore-before doctor ");
  await typed(others.toReversed().join("\n"), here);
  expect(migrations(database)).toEqual(before);
  await typed(last, here);
}, 600_000);
