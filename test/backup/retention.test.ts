import { describe, expect, test } from "bun:test";

import { join } from "node:path";

import { directoryObjects } from "../../backup/directory.ts";
import { backupKeys } from "../../backup/keys.ts";
import { nextBackupAt } from "../../backup/model/schedule.ts";
import type { Objects } from "../../backup/ports.ts";
import {
  blobObject,
  containerObject,
  nextId,
  removeOldBackups,
  sweep,
  writeIndex,
} from "../../backup/stored.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";
import { scratch } from "../cli/installation.ts";
import { rejection } from "../helpers/rejection.ts";

const keys = backupKeys(new Uint8Array(32).fill(1));

/** The name of a sealed blob. */
function nameOf(letter: string): string {
  return Bun.CryptoHasher.hash("sha256", letter, "hex");
}

/** The ID of a backup of that day. */
function idOf(day: number): string {
  return `202611${String(day).padStart(2, "0")}T040000000Z`;
}

const empty = (): ReadableStream<Uint8Array> => new Blob([]).stream();

/** A place with the backups of some days, whose blobs are letters. */
async function placeWith(backups: Readonly<Record<number, string>>): Promise<Objects> {
  const objects = directoryObjects(await scratch());
  for (const [day, letters] of Object.entries(backups)) {
    const id = idOf(Number(day));
    const names = letters.split("").map(nameOf);
    for (const name of names) await objects.put(blobObject(name), empty());
    await objects.put(containerObject(id), empty());
    const sealed = { bytes: 0, sha256: nameOf("") };
    await writeIndex(objects, { id, madeAt: "", petstore: "1.0.0", sealed }, names, keys);
  }
  return objects;
}

/** What a place has, in short: days of backups, and letters of blobs. */
async function shown(objects: Objects): Promise<string> {
  const letters = new Map(
    "abcdefz".split("").map((letter) => [blobObject(nameOf(letter)), letter]),
  );
  const found: string[] = [];
  for await (const { name } of objects.list("")) {
    found.push(letters.get(name) ?? name.replace(/^backups\/202611(\d\d)T040000000Z/, "$1"));
  }
  return found.toSorted().join(" ");
}

describe("retention", () => {
  test("removes the oldest backups, and the blobs that only they need", async () => {
    const objects = await placeWith({ 3: "bc", 1: "ab", 2: "b" });
    expect(await removeOldBackups(objects, keys, 2)).toBe(1);
    expect(await shown(objects)).toBe("02.age 02.blobs 02.json 03.age 03.blobs 03.json b c");
  });

  test("removes what interrupted backups left", async () => {
    const objects = await placeWith({ 1: "a" });
    for (const name of [blobObject(nameOf("z")), containerObject(idOf(2))]) {
      await objects.put(name, empty());
    }
    expect(await removeOldBackups(objects, keys, 7)).toBe(0);
    expect(await shown(objects)).toBe("01.age 01.blobs 01.json a");
  });

  test("removes no blob of a kept backup, whatever is kept", async () => {
    const backups = { 1: "af", 2: "bf", 3: "cf", 4: "df", 5: "ef" };
    for (let keep = 1; keep <= 6; keep++) {
      const objects = await placeWith(backups);
      await removeOldBackups(objects, keys, keep);
      const kept = Object.entries(backups).slice(-keep);
      const files = kept.flatMap(([day]) =>
        ["age", "blobs", "json"].map((end) => `0${day}.${end}`),
      );
      const letters = [...kept.map(([, [own]]) => own), "f"];
      expect(await shown(objects)).toBe([...files, ...letters].join(" "));
    }
  });

  test("leaves the files of others alone", async () => {
    const objects = await placeWith({ 1: "a", 2: "b" });
    const others = [
      "backups/database.age",
      "backups/database.age.partial",
      "backups/20261101.json",
      "backups/20261101T040000000Z.tar",
      "backups/old/20261101T040000000Z.age",
      `blobs/${nameOf("a")}`,
      "blobs/ab/notes.age",
      "film.partial",
    ];
    for (const name of others) await Bun.write(join(objects.place, name), "theirs");
    await sweep(objects, keys);
    await removeOldBackups(objects, keys, 1);
    for (const name of others) {
      expect([name, await Bun.file(join(objects.place, name)).text()]).toEqual([name, "theirs"]);
    }
    expect(await shown(objects)).toContain("02.age 02.blobs 02.json");
  });

  test.each(["json", "blobs"])(
    "removes nothing while a .%s is damaged, and names it",
    async (end) => {
      const objects = await placeWith({ 1: "a", 2: "b" });
      const damaged = `backups/${idOf(2)}.${end}`;
      const path = join(objects.place, damaged);
      await Bun.write(
        path,
        (await Bun.file(path).text()).replace(/[\da-f]{8}(?=\n|"}$)/, "00000000"),
      );
      const before = await shown(objects);
      const refused = await rejection(removeOldBackups(objects, keys, 1));
      expect(String(refused)).toContain(`${damaged} is damaged. Remove the files of this backup`);
      expect(await shown(objects)).toBe(before);
    },
  );

  test("trusts no index under the name of another", async () => {
    const objects = await placeWith({ 1: "a", 2: "b" });
    const index = await Bun.file(join(objects.place, `backups/${idOf(1)}.json`)).text();
    await Bun.write(join(objects.place, `backups/${idOf(3)}.json`), index);
    const refused = await rejection(removeOldBackups(objects, keys, 1));
    expect(String(refused)).toContain(`backups/${idOf(3)}.json is damaged`);
  });

  test("reads no more of an index or list than one of ours has", async () => {
    const objects = await placeWith({ 1: "a" });
    for (const end of [".json", ".blobs"]) {
      let pulled = 0;
      const endless = {
        ...objects,
        get: async (name: string) =>
          name.endsWith(end)
            ? new ReadableStream<Uint8Array>({
                pull: (controller) => {
                  pulled += 65_536;
                  controller.enqueue(new Uint8Array(65_536).fill(97));
                },
              })
            : objects.get(name),
      };
      const refused = await rejection(removeOldBackups(endless, keys, 1));
      expect(String(refused)).toContain(`backups/${idOf(1)}${end} is damaged`);
      expect(pulled).toBeLessThan(1_000_000);
    }
  });
});

test("the IDs of backups rise, even if the clock is set back", () => {
  const at = Date.UTC(2026, 10, 23, 4);
  expect(nextId(at)).toBe("20261123T040000000Z");
  expect(nextId(at, "20261123T035959999Z")).toBe("20261123T040000000Z");
  expect(nextId(at, "20261123T040000000Z")).toBe("20261123T040000001Z");
  expect(nextId(at, "20361231T235959999Z")).toBe("20370101T000000000Z");
});

describe("the schedule", () => {
  const now = Date.UTC(2026, 10, 23, 4);
  const good = { at: now - HOUR_MS, to: "/mnt", bytes: 1, rehearsed: true };
  const asked = { to: "/mnt", everyMs: DAY_MS, now };

  test("is due at once without a good backup in this place, else an interval after it", () => {
    expect(nextBackupAt({ failures: 0 }, asked)).toBe(now);
    expect(nextBackupAt({ failures: 0, good }, asked)).toBe(good.at + DAY_MS);
    expect(nextBackupAt({ failures: 0, good }, { ...asked, to: "/other" })).toBe(now);
  });

  test("retries a failure after 5, 10, 20 minutes, at most after the interval", () => {
    const failed = { at: now, reason: "" };
    const waits = [1, 2, 3, 20].map(
      (failures) => nextBackupAt({ good, failed, failures }, asked) - now,
    );
    expect(waits).toEqual([5 * MINUTE_MS, 10 * MINUTE_MS, 20 * MINUTE_MS, DAY_MS]);
  });

  test("is due at once if the clock was set back beyond the last backup", () => {
    const later = { ...good, at: now + 2 * DAY_MS };
    expect(nextBackupAt({ failures: 0, good: later }, asked)).toBe(now);
  });
});
