import { expect, test } from "bun:test";

import { join } from "node:path";

import { silentLog } from "../../lib/base/log.ts";
import { systemClock } from "../../lib/index.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { createBackups, holdable } from "../../server/backup/backups.ts";
import { historyInFile } from "../../server/backup/state.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { keepBlobs, serveSocket } from "../../server/listeners/socket.ts";
import { loadSettings } from "../../settings/load.ts";
import { scratch } from "../cli/installation.ts";
import { ampleHoldings } from "../helpers/holdings.ts";
import { torture } from "../helpers/chance.ts";
import { KEY } from "./fixture.ts";

const refused = async (): Promise<never> => {
  throw new Error("not asked");
};
/** Options of a socket that nothing asks for. */
const unused = {
  manage: refused,
  status: {
    version: "1.2.3",
    pid: process.pid,
    addresses: { production: "", staging: undefined, https: undefined, metrics: undefined },
    direct: "",
  },
  examine: refused,
  backUp: refused,
  holdings: ampleHoldings,
  log: silentLog,
};

test("a server deletes no blob while a command exports, and does again once it ended", async () => {
  const path = join(await scratch(), "petstore.sock");
  const { blobs, hold } = holdable(memoryBlobs());
  let held = 0;
  const { settings } = await loadSettings({ flags: {}, environment: {} });
  const backups = await createBackups({
    settings,
    directory: dataDirectory(path),
    history: historyInFile(dataDirectory(path)),
    encryptionKey: KEY,
    runtime: { clock: systemClock, version: "1.2.3" },
    hold: () => {
      const one = hold();
      held++;
      return {
        [Symbol.dispose]: () => {
          one[Symbol.dispose]();
          held--;
        },
      };
    },
    log: silentLog,
  });
  const socket = serveSocket({
    ...unused,
    path,
    keep: () => backups.keepBlobs(),
  });
  const { sha256 } = await blobs.put(Buffer.from("a photo"));
  const isDeleted = async (): Promise<boolean> => {
    await blobs.delete(sha256);
    return (await blobs.size(sha256)) === undefined;
  };

  const [first, second] = [await keepBlobs(path, "1.2.3"), await keepBlobs(path, "1.2.3")];
  expect([await isDeleted(), held]).toEqual([false, 2]);
  await first?.release();
  while (held > 1) await Bun.sleep(5);
  expect([await isDeleted(), second?.holds()]).toEqual([false, true]);
  // The promise ends with the server, which the command notices.
  await backups.jobs.stop();
  while (second?.holds() === true) await Bun.sleep(5);
  expect([await isDeleted(), held]).toEqual([true, 0]);
  await socket.close();
  expect(await keepBlobs(path, "1.2.3")).toBeUndefined();
});

// Bun closes idle connections after ten seconds by default.
if (torture) {
  test("a command waits for a server that takes more than ten seconds", async () => {
    const path = join(await scratch(), "petstore.sock");
    const socket = serveSocket({
      ...unused,
      path,
      manage: async () => {
        await Bun.sleep(15_000);
        return new Response("done");
      },
      keep: () => new Response(),
    });
    const response = await fetch("http://petstore/accounts", { unix: path });
    expect(await response.text()).toBe("done");
    await socket.close();
  });
}
