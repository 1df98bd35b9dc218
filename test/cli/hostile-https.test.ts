import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { until } from "../helpers/dns/until.ts";
import { frame, GOAWAY, HEADERS, rawClient } from "../helpers/http2-frames.ts";
import { presentedFor } from "../helpers/presented.ts";
import { installation, scratch } from "./installation.ts";

const COMPRESSION_ERROR = 9;

/** Starts the program with a certificate for pets.example. */
async function serving() {
  const here = await installation();
  const directory = await scratch();
  const [cert, key] = [join(directory, "c.pem"), join(directory, "k.pem")];
  const made = await presentedFor("own", "pets.example");
  await writeFile(key, made.privateKeyPem);
  await writeFile(cert, made.chainPem);
  const files = [`--tls-cert-file=${cert}`, `--tls-key-file=${key}`, "--base-domain=pets.example"];
  const program = await here.serve("--listen-https=127.0.0.1:0", ...files);
  const said = (): string | undefined =>
    /listening on https:\/\/127\.0\.0\.1:(\d+)"/.exec(program.output())?.[1];
  await until(() => said() !== undefined);
  return { program, port: Number(said()) };
}

test("an endless integer in a header block ends its connection, and the program lives", async () => {
  const { program, port } = await serving();
  await using _ = program;
  const client = await rawClient(port, "pets.example", 65_535);
  const block = Buffer.from([0x00, 1, 0x61, 0x7f, ...Array(160).fill(0x80), 0x00]);
  client.socket.write(frame(HEADERS, 5, 1, block));
  // A frozen process answers nothing.
  const alive = await fetch(`${program.origin}/livez`, { signal: AbortSignal.timeout(20_000) });
  expect(alive.status).toBe(200);
  const last = (await client.closed).at(-1);
  expect([last?.type, last?.payload.readUInt32BE(4)]).toEqual([GOAWAY, COMPRESSION_ERROR]);
  expect(await program.end()).toBe(0);
});
