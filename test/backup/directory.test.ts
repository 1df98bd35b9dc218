import { beforeAll, describe, expect, test } from "bun:test";

import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { identityOf } from "../../backup/age.ts";
import { placeOf } from "../../backup/place.ts";
import { checkRestore, restoreInstallation } from "../../server/backup/restore.ts";
import { scratch } from "../cli/installation.ts";
import { chance, torture } from "../helpers/chance.ts";
import { pngOf } from "../helpers/pictures.ts";
import {
  backUp,
  contentsOf,
  emptyWith,
  filesIn,
  neededFilesOf,
  noise,
  request,
  shelter,
  type Shelter,
} from "./fixture.ts";
import { deploy } from "./sites.ts";

let here: Shelter;

beforeAll(async () => {
  here = await shelter();
});

describe("a directory of backups", () => {
  test("stores each blob once, restores any of its backups, and removes what is old", async () => {
    const place = placeOf(`${await scratch()}/backups/`);
    const first = await backUp(here, place, {}, true);
    expect(first.rehearsed).toBe(true);
    const asFirst = contentsOf(here.directory);
    await deploy(here, "Animals", { "more.bin": noise(300_000, 2) });
    const photo = join(await scratch(), "bella.png");
    await writeFile(photo, await pngOf({ width: 60, height: 40 }));
    await here.json("pets", "photos", "add", "1", photo, "--account", here.account);
    const second = await backUp(here, place);
    const asSecond = contentsOf(here.directory);
    // Those of the deploy, and the photo.
    expect(second.blobs).toBe(first.blobs + 2);
    // Only the database and the new blobs: the first photo of 200 KB was there.
    expect(second.bytes - second.writtenBytes).toBeGreaterThan(190_000);

    for (const [id, expected] of [
      [first.id, asFirst],
      [second.id, asSecond],
      [undefined, asSecond],
    ] as const) {
      const directory = await emptyWith(here.encryptionKey);
      const { id: restored } = await restoreInstallation({ ...request(place, directory), id });
      expect(restored).toBe(id ?? second.id);
      expect(contentsOf(directory)).toEqual(expected);
      const files = await filesIn(directory.blobs);
      expect(files).toHaveLength(expected === asFirst ? first.blobs : second.blobs);
    }

    // With a retention of one: neither the first backup nor anything that only it needed.
    const flags = { "backup-to": place.path, "backup-keep": "1" };
    const third = await backUp(here, place, flags);
    expect(third.removed).toBe(2);
    const left = await filesIn(place.path);
    expect(left.filter((name) => name.startsWith("backups/"))).toEqual([
      `backups/${third.id}.age`,
      `backups/${third.id}.blobs`,
      `backups/${third.id}.json`,
    ]);
    expect(left.filter((name) => name.startsWith("blobs/"))).toHaveLength(third.blobs);
    await checkRestore(request(place, here.directory));
    const gone = checkRestore({ ...request(place, here.directory), id: first.id });
    expect(await gone.catch((error: Error) => error.message)).toBe(
      `${place.path} has no backup ${first.id}. It has ${third.id}.`,
    );
  });

  test("keeps and restores the backup that was made last, although the clock was set back", async () => {
    const place = placeOf(`${await scratch()}/backups/`);
    const flags = { "backup-to": place.path, "backup-keep": "2" };
    const ahead = Date.UTC(2036, 0, 1);
    await backUp(here, place, flags, false, {}, () => ahead);
    await backUp(here, place, flags, false, {}, () => ahead + 1_000);
    await here.json("accounts", "create", "Added later");
    const last = await backUp(here, place, flags, true);
    expect(last.id).toBe("20360101T000001001Z");
    const directory = await emptyWith(here.encryptionKey);
    const { id, manifest } = await restoreInstallation(request(place, directory));
    expect(id).toBe(last.id);
    expect(Date.parse(manifest.madeAt)).toBe(last.at);
    expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
  });

  test("tells blobs that were changed, cut off or removed", async () => {
    const place = placeOf(`${await scratch()}/backups/`);
    await backUp(here, place);
    const [name = ""] = (await filesIn(place.path)).filter((one) => one.startsWith("blobs/"));
    const blob = join(place.path, name);
    const right = new Uint8Array(await readFile(blob));
    const refusal = () =>
      checkRestore(request(place, here.directory)).then(
        () => "sound",
        (error: Error) => error.message,
      );
    const changed = right.slice();
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    for (const content of [changed, right.slice(0, -1), new Uint8Array()]) {
      await writeFile(blob, content);
      expect(await refusal()).toContain(" is damaged: ");
    }
    await rm(blob);
    expect(await refusal()).toContain(" is damaged: it lacks the blob ");
    // The next backup writes what is missing.
    await backUp(here, place);
    expect(await refusal()).toBe("sound");
  });

  test("with a flipped bit, or cut off, in any of its files is refused, and nothing is put in place", async () => {
    const random = chance();
    const place = placeOf(`${await scratch()}/backups/`);
    const { id } = await backUp(here, place);
    const directory = await emptyWith(here.encryptionKey);
    const refusal = async (): Promise<string> => {
      const asked = request(place, directory);
      const messageOf = (asking: Promise<unknown>): Promise<string> =>
        asking.then(
          () => "sound",
          (error: Error) => error.message,
        );
      const checked = await messageOf(checkRestore(asked));
      expect(await messageOf(restoreInstallation(asked))).toBe(checked);
      expect((await filesIn(directory.path)).filter((name) => name !== "petstore.lock")).toEqual([
        "encryption.key",
      ]);
      return checked;
    };
    const files = await filesIn(place.path);
    expect(files.length).toBeGreaterThan(4);
    for (const name of files) {
      const path = join(place.path, name);
      const right = new Uint8Array(await readFile(path));
      const isIndex = /\.(json|blobs)$/.test(name);
      const few = torture ? 200 : isIndex ? 10 : 2;
      const flips = Array.from({ length: few }, () => random.between(0, right.length - 1));
      for (const at of [0, right.length - 1, ...flips]) {
        const changed = right.slice();
        changed[at] = (changed[at] ?? 0) ^ (1 << random.between(0, 7));
        await writeFile(path, changed);
        expect(await refusal()).toMatch(/ is damaged: |No key opens |A newer version of this/);
      }
      const cuts = Array.from({ length: torture ? 50 : 1 }, () =>
        random.between(0, right.length - 1),
      );
      for (const length of [0, ...cuts]) {
        await writeFile(path, right.slice(0, length));
        expect(await refusal()).toMatch(/ is damaged: |No key opens /);
      }
      await writeFile(path, right);
    }
    await checkRestore(request(place, directory));

    // A backup that is named does not need its index, but no new backup is made beside a damaged one.
    const index = join(place.path, `backups/${id}.json`);
    const right = await readFile(index, "utf8");
    await writeFile(index, right.replace(/[\da-f]{8}"}$/, '00000000"}'));
    expect(await refusal()).toContain(`--backup ${id} restores it`);
    expect(await backUp(here, place).catch((error: Error) => error.message)).toBe(
      `${place.path}: backups/${id}.json is damaged. Remove the files of this backup, backups/${id}.*.`,
    );
    await restoreInstallation({ ...request(place, directory), id });
    expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
  }, 600_000);

  test("has no backup with a path as its ID", async () => {
    const place = placeOf(`${await scratch()}/backups/`);
    await backUp(here, place);
    await backUp(here, placeOf(join(place.path, "outside.age")));
    const asked = checkRestore({ ...request(place, here.directory), id: "../outside" });
    expect(await asked.catch((error: Error) => error.message)).toContain(
      "has no backup ../outside. It has ",
    );
  });

  test("is named as a whole: a file of it lacks the site files", async () => {
    const place = placeOf(`${await scratch()}/backups/`);
    const { id } = await backUp(here, place);
    const taken = placeOf(join(place.path, `backups/${id}.age`));
    const directory = await emptyWith(here.encryptionKey);
    for (const asked of [
      checkRestore(request(taken, here.directory)),
      restoreInstallation(request(taken, directory)),
    ]) {
      expect(await asked.catch((error: Error) => error.message)).toBe(
        `${taken.path} is a part of a directory of backups, and its site files are in blobs/ of that directory. Name the directory, and the backup with --backup ${id}.`,
      );
    }
  });

  test("reveals neither names nor digests of the files", async () => {
    const place = placeOf(`${await scratch()}/backups/`);
    const { id } = await backUp(here, place);
    const list = await readFile(join(place.path, `backups/${id}.blobs`), "utf8");
    expect(list).toMatch(/^([\da-f]{64}\n){2,}$/);
    for (const name of await filesIn(here.directory.blobs)) {
      expect(list).not.toContain(name.slice(3));
    }
  });

  test("is not in the data directory, with which it would be lost", async () => {
    const { path } = here.directory;
    for (const to of [`${path}/`, `${path}/backups/`, `${path}/one.backup`]) {
      expect(await backUp(here, placeOf(to)).catch((error: Error) => error.message)).toContain(
        " is in the data directory, ",
      );
    }
    const { exitCode, stderr } = await here.run("serve", "--backup-to", join(path, "backups"));
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining("Name another place")]);
    expect(await filesIn(path)).not.toContainEqual(expect.stringContaining(".age"));
    await backUp(here, placeOf(`${path}-backups/`));
  });

  test("refuses the backups of another installation", async () => {
    const place = placeOf(`${await scratch()}/backups/`);
    await backUp(here, place);
    const other = { ...here, encryptionKey: new Uint8Array(32).fill(1) };
    expect(await backUp(other, place).catch((error: Error) => error.message)).toBe(
      `${place.path} has backups of another installation. Each installation needs a place of its own.`,
    );
  });

  test("reports files of sites that the installation has lost, and backs up the rest", async () => {
    const lossy = await shelter();
    const [name = ""] = neededFilesOf(lossy.directory);
    await chmod(join(lossy.directory.blobs, name), 0o600);
    await writeFile(join(lossy.directory.blobs, name), "rotten");
    const place = placeOf(join(await scratch(), "one.backup"));
    const report = await backUp(lossy, place, {}, true);
    expect(report.missingBlobs).toEqual([name.replace("/", "")]);
    const directory = await emptyWith(lossy.encryptionKey);
    await restoreInstallation(request(place, directory));
    expect(contentsOf(directory)).toEqual(contentsOf(lossy.directory));
  });
});

describe("the age format", () => {
  const age = (args: readonly string[], stdin: string) =>
    Bun.spawnSync(["age", ...args], { stdin: Buffer.from(stdin) });
  const missing = Bun.which("age") === null && process.env["CI"] !== "true";

  test.skipIf(missing)("opens with the program age, and the tar in it with tar", async () => {
    const file = join(await scratch(), "one.backup");
    await backUp(here, placeOf(file));
    const opened = age(["--decrypt", "--identity", "-", file], identityOf(here.encryptionKey));
    expect(opened.exitCode).toBe(0);
    const listed = Bun.spawnSync(["tar", "-t"], { stdin: opened.stdout });
    const names = listed.stdout.toString().trim().split("\n");
    expect(names.slice(0, 3)).toEqual(["manifest.signature", "manifest.json", "petstore.db"]);
    expect(names.filter((name) => name.startsWith("blobs/")).length).toBeGreaterThan(1);
  });

  test.skipIf(missing)(
    "seals to a recipient, so that the server's key alone opens nothing",
    async () => {
      const generated = Bun.spawnSync(["age-keygen"]).stdout.toString();
      const identity = /^AGE-SECRET-KEY-1.*$/m.exec(generated)?.[0] ?? "";
      const recipient = /age1\S+/.exec(generated)?.[0] ?? "";
      const flags = { "backup-recipient": recipient };
      const keys = join(await scratch(), "identity.txt");
      await writeFile(keys, generated);
      for (const to of [join(await scratch(), "one.backup"), `${await scratch()}/many/`]) {
        const place = placeOf(to);
        const report = await backUp(here, place, flags, true);
        expect([report.sealedTo, report.rehearsed]).toEqual([recipient, true]);
        const refused = checkRestore(request(place, here.directory));
        expect(await refused.catch((error: Error) => error.message)).toStartWith("No key opens ");
        const directory = await emptyWith(here.encryptionKey);
        await restoreInstallation({ ...request(place, directory), identity });
        expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
        const { exitCode } = await here.run("restore", to, "--check", "--identity", keys);
        expect(exitCode).toBe(0);
      }
      const file = join(await scratch(), "one.backup");
      await backUp(here, placeOf(file), flags);
      expect(age(["--decrypt", "--identity", "-", file], identity).exitCode).toBe(0);
    },
  );
});
