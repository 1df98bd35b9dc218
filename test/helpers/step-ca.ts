import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "./free-ports.ts";
import { dying, type Pebble } from "./pebble.ts";

export interface StepCaOptions {
  /** The path of the program. */
  readonly program: string;
  /** The ports to which it connects for http-01 and tls-alpn-01. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** The DNS server that it asks, with its port. */
  readonly dnsServer: string;
}

/** Starts step-ca with an ACME provisioner, and an intermediate that its root signed. */
export async function startStepCa({
  program,
  httpPort,
  tlsPort,
  dnsServer,
}: StepCaOptions): Promise<AsyncDisposable & Pick<Pebble, "directoryUrl" | "listenerCertificate">> {
  const directory = await mkdtemp(join(tmpdir(), "step-ca-"));
  const at = (name: string): string => join(directory, name);
  const port = await freePort();
  await makeChain(at);
  await writeFile(
    at("ca.json"),
    JSON.stringify({
      root: at("root.pem"),
      crt: at("intermediate.pem"),
      key: at("intermediate.key"),
      address: `127.0.0.1:${port}`,
      dnsNames: ["127.0.0.1"],
      db: { type: "badgerv2", dataSource: at("db") },
      authority: { provisioners: [{ type: "ACME", name: "acme" }] },
    }),
  );
  const child = Bun.spawn(
    [...dying, program, at("ca.json"), "--insecure", "--resolver", dnsServer]
      .concat("--acme-http-port", String(httpPort))
      .concat("--acme-tls-port", String(tlsPort)),
    {
      env: { PATH: process.env["PATH"] ?? "", HOME: directory, STEPPATH: directory },
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  const stop = async (): Promise<void> => {
    child.kill();
    await child.exited;
    await rm(directory, { recursive: true, force: true });
  };
  const root = await readFile(at("root.pem"), "utf8");
  const directoryUrl = `https://127.0.0.1:${port}/acme/acme/directory`;
  for (const until = Date.now() + 60_000; ;) {
    const answer = await fetch(directoryUrl, { tls: { ca: root } }).catch(() => undefined);
    if (answer?.ok === true) break;
    if (Date.now() > until || child.exitCode !== null) {
      await stop();
      throw new Error("step-ca did not start");
    }
    await Bun.sleep(20);
  }
  return { directoryUrl, listenerCertificate: root, [Symbol.asyncDispose]: stop };
}

async function makeChain(at: (name: string) => string): Promise<void> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const authority = (name: string, depth: string): readonly string[] =>
    ["req", "-x509", ...key, "-subj", `/CN=${name}`, "-keyout", at(`${name}.key`)]
      .concat("-out", at(`${name}.pem`))
      .concat("-addext", `basicConstraints=critical,CA:TRUE${depth}`)
      .concat("-addext", "keyUsage=critical,keyCertSign,cRLSign");
  await openssl(authority("root", ""));
  await openssl([
    ...authority("intermediate", ",pathlen:0"),
    ...["-CA", at("root.pem"), "-CAkey", at("root.key")],
  ]);
}

async function openssl(args: readonly string[]): Promise<void> {
  const child = Bun.spawn(["openssl", ...args], { stdio: ["ignore", "ignore", "ignore"] });
  if ((await child.exited) !== 0) throw new Error(`openssl failed: ${args.join(" ")}`);
}
