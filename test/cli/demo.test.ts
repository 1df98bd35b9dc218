import { expect, test } from "bun:test";

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

import { demoGround, portsOf } from "../helpers/demo.ts";
import { runProgram } from "../helpers/process.ts";

/** Whether something accepts connections on a port. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Returns the path of the only directory in another one; that one without any. */
async function onlyDirectory(path: string): Promise<string> {
  const [name = ""] = await readdir(path);
  return join(path, name);
}

test("a demo clears what a killed one left, has a month of history, and ends without a trace", async () => {
  await using ground = await demoGround();
  const killed = ground.start();
  // Killed in the middle: it has begun to write.
  while (!existsSync(join(await onlyDirectory(ground.path), "data/petstore.db")))
    await Bun.sleep(10);
  expect(await killed.end("SIGKILL")).toBe(137);
  const [left, ...others] = await readdir(ground.path);
  expect([left, others]).toEqual([expect.stringMatching(/^petstore-demo-/), []]);

  const demo = ground.start();
  const shown = await demo.shown;
  const now = await readdir(ground.path);
  expect(now).toEqual([expect.stringMatching(/^petstore-demo-/)]);
  expect(now).not.toContain(left);
  const { dataDir } = shown;
  const read = async <Value>(...args: readonly string[]): Promise<Value> =>
    JSON.parse((await runProgram([...args, "--json", "--data-dir", dataDir])).stdout);
  const [account] = await read<readonly { readonly id: string; readonly createdAt: number }[]>(
    ...["accounts", "list"],
  );
  expect(account).toMatchObject({ name: "Brightside Animal Shelter", plan: "pro" });
  const domains = await read<readonly object[]>("domains", "list");
  expect(domains).toMatchObject([{ domain: "fosters.brightside.localhost", project: "fosters" }]);
  const enquiries = await read<readonly object[]>(
    "enquiries",
    "list",
    "--account",
    account?.id ?? "",
  );
  expect(enquiries).toHaveLength(6);
  const people = await read<readonly object[]>("members", "list", "--account", account?.id ?? "");
  expect(people).toHaveLength(3);

  const ports = portsOf(shown);
  expect(await Promise.all(ports.map(accepts))).toEqual(ports.map(() => true));
  expect([await demo.end("SIGTERM"), demo.errors()]).toEqual([0, ""]);
  expect(await readdir(ground.path)).toEqual([]);
  expect(await Promise.all(ports.map(accepts))).toEqual(ports.map(() => false));
  expect(demo.errors()).toBe("");
});
