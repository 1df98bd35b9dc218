import { expect, test } from "bun:test";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import {
  isCovered,
  openOwnCertificate,
  readOwnCertificate,
} from "../../server/listeners/own-certificate.ts";
import type { Log } from "../../lib/index.ts";
import { createPrivateKeyPem } from "../../domains/acme/keys.ts";
import { brokenChains, unusualChains } from "../helpers/broken-chains.ts";
import { makeChain } from "../helpers/chain.ts";
import { manualClock } from "../helpers/clock.ts";
import { presentedFor } from "../helpers/presented.ts";
import { scratch } from "./installation.ts";

type Made = Awaited<ReturnType<typeof presentedFor>>;

async function files(made: Made) {
  const directory = await scratch();
  const found = { certFile: join(directory, "c.pem"), keyFile: join(directory, "k.pem") };
  await write(found, made);
  return found;
}

async function write(
  { certFile, keyFile }: { readonly certFile: string; readonly keyFile: string },
  { chainPem, privateKeyPem }: Made,
): Promise<void> {
  await replace(keyFile, privateKeyPem);
  await replace(certFile, chainPem);
}

/** Renames a new file over the old one, as renewal tools do: file times may be too coarse to tell two writes apart. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

function logging() {
  const lines: string[] = [];
  const note = (message: string): void => {
    lines.push(message);
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };
  return { log, lines };
}

const WILDCARD = await presentedFor("a", "petstore.example", "*.petstore.example");

test("a wildcard covers one label", () => {
  const names = ["petstore.example", "*.petstore.example"];
  expect(isCovered("petstore.example", names)).toBe(true);
  expect(isCovered("cats.petstore.example", names)).toBe(true);
  expect(isCovered("a.cats.petstore.example", names)).toBe(false);
  expect(isCovered("petstore.test", names)).toBe(false);
  expect(isCovered("example", names)).toBe(false);
});

test("the operator's certificate is presented for the names that it covers", async () => {
  const { log } = logging();
  const own = await openOwnCertificate(await files(WILDCARD), { clock: manualClock(0), log });
  expect(own.presentedFor("cats.petstore.example")?.chainPem).toBe(WILDCARD.chainPem);
  expect(own.presentedFor("pets.shelter.org")).toBeUndefined();
  own.close();
});

test("changed certificate files are read again", async () => {
  const { log, lines } = logging();
  const clock = manualClock(0);
  const paths = await files(WILDCARD);
  const own = await openOwnCertificate(paths, { clock, log });
  const next = await presentedFor("b", "petstore.example");
  await write(paths, next);
  await clock.advance(5_000);
  await until(() => lines.length > 0);
  expect(own.presentedFor("petstore.example")?.chainPem).toBe(next.chainPem);
  expect(own.presentedFor("cats.petstore.example")).toBeUndefined();
  own.close();
});

test("an invalid change is logged, and the previous certificate stays in use", async () => {
  const { log, lines } = logging();
  const clock = manualClock(0);
  const paths = await files(WILDCARD);
  const own = await openOwnCertificate(paths, { clock, log });
  await write(paths, {
    ...WILDCARD,
    privateKeyPem: (await presentedFor("b", "x.test")).privateKeyPem,
  });
  await clock.advance(5_000);
  await until(() => lines.length > 0);
  expect(lines).toEqual(["the changed certificate cannot be used; the previous one stays in use"]);
  expect(own.presentedFor("petstore.example")?.chainPem).toBe(WILDCARD.chainPem);
  own.close();
});

test("unusable certificate files are refused with the name of the option", async () => {
  const paths = await files(WILDCARD);
  const other = await presentedFor("b", "x.test");
  await write(paths, { ...WILDCARD, privateKeyPem: other.privateKeyPem });
  await expect(readOwnCertificate(paths)).rejects.toThrow("tls-key-file: ");
  await write(paths, { ...WILDCARD, privateKeyPem: "no key" });
  await expect(readOwnCertificate(paths)).rejects.toThrow("tls-key-file: ");
  await write(paths, { ...WILDCARD, chainPem: "no certificate" });
  await expect(readOwnCertificate(paths)).rejects.toThrow("it contains no certificate");
  await rm(paths.certFile);
  await expect(readOwnCertificate(paths)).rejects.toThrow("tls-cert-file: ");
});

test("a damaged chain in the file is refused at the start, and at a reload the previous one stays in use", async () => {
  const key = await createPrivateKeyPem();
  const chain = (await makeChain({ names: ["pets.test"], key, now: Date.now() })).join("");
  const good = { ...WILDCARD, chainPem: chain, privateKeyPem: key };
  const paths = await files(good);
  for (const { what, kind, broken } of brokenChains) {
    // An operator may keep the key in the same file: it is not served.
    if (kind !== "damaged" || what.includes("private key") || what.includes("old label")) continue;
    await write(paths, { ...good, chainPem: broken(chain, "") });
    const refusal = await readOwnCertificate(paths).catch((error: Error) => error.message);
    expect([what, refusal]).toEqual([what, expect.stringContaining("tls-cert-file: ")]);
    await write(paths, good);
    const { log, lines } = logging();
    const clock = manualClock(0);
    const own = await openOwnCertificate(paths, { clock, log });
    await write(paths, { ...good, chainPem: broken(chain, "") });
    await clock.advance(5_000);
    await until(() => lines.length > 0);
    expect([what, ...lines]).toEqual([
      what,
      "the changed certificate cannot be used; the previous one stays in use",
    ]);
    expect(own.presentedFor("pets.test")?.chainPem).toBe(chain);
    own.close();
  }
  for (const { what, broken } of unusualChains) {
    await write(paths, { ...good, chainPem: broken(chain, "") });
    expect([what, (await readOwnCertificate(paths)).presented.chainPem]).toEqual([what, chain]);
  }
});

test("the key in the certificate's file is not served", async () => {
  const { chainPem, privateKeyPem } = WILDCARD;
  const paths = await files({ ...WILDCARD, chainPem: privateKeyPem + chainPem });
  const { presented } = await readOwnCertificate(paths);
  expect(presented.chainPem).toBe(chainPem);
});

test("a chain that some clients cannot verify is served, and the log says so", async () => {
  const key = await createPrivateKeyPem();
  const [leaf = ""] = await makeChain({ names: ["pets.test"], key, now: Date.now() });
  const of = async (chainPem: string) => {
    const { log, lines } = logging();
    const paths = await files({ ...WILDCARD, chainPem, privateKeyPem: key });
    const own = await openOwnCertificate(paths, { clock: manualClock(0), log });
    own.close();
    return { lines, doubt: (await readOwnCertificate(paths)).doubt };
  };
  expect(await of(leaf)).toEqual({
    doubt: "alone",
    lines: [expect.stringContaining("no certificate of the issuer")],
  });
  expect(await of(leaf + WILDCARD.chainPem)).toEqual({
    doubt: "unlinked",
    lines: [expect.stringContaining("not signed by the next one")],
  });
});

/** Waits in real time, because reading the files does not use the manual clock. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await Bun.sleep(2);
}
