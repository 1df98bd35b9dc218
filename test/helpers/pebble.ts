import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ExternalAccount } from "../../domains/ports/authority.ts";
import { freePorts } from "./free-ports.ts";

/** The CA that tests start: Debian's, unless `TEST_PEBBLE` is the path of another version. */
const PEBBLE = process.env["TEST_PEBBLE"] ?? "pebble";

/** The reason why Pebble cannot run; undefined if it can. */
export const pebbleMissing: string | undefined = [PEBBLE, "pebble-challtestsrv", "openssl"].some(
  (command) => Bun.which(command) === null,
)
  ? "needs the Debian packages pebble and openssl"
  : undefined;

export interface PebbleOptions {
  /** The port that it connects to for http-01, at the address from its DNS. */
  readonly httpPort: number;
  /** The port for tls-alpn-01. */
  readonly tlsPort: number;
  /** The percentage of valid nonces that it refuses. */
  readonly refusedNonces?: number;
  /** The maximum random delay of validations, in seconds. */
  readonly sleepSeconds?: number;
  /** The percentage of valid authorizations that it reuses. */
  readonly reusedAuthorizations?: number;
  readonly externalAccount?: ExternalAccount;
  /** The number of certificates above the leaf. */
  readonly chainLength?: number;
  /** The number of alternate roots. */
  readonly alternateRoots?: number;
  readonly refusedNames?: readonly string[];
  readonly validitySeconds?: number;
  /** The profiles and their lifetimes in seconds, for versions that have profiles. */
  readonly profiles?: Readonly<Record<string, number>>;
  /** True to enforce what later versions of the protocol will require. */
  readonly strict?: boolean;
  /** The path of another version. */
  readonly program?: string;
  /** Its DNS server, such as `127.53.0.9:53`. Default: its own. */
  readonly dnsServer?: string;
}

/** A local CA. */
export interface Pebble extends AsyncDisposable {
  readonly directoryUrl: string;
  /** The DNS server that it asks. */
  readonly dnsServer: string;
  /** The certificate of its listener, in PEM, which clients must trust. */
  readonly listenerCertificate: string;
  /** The key of that certificate, for a proxy in front of it. */
  readonly listenerKey: string;
  /** Its root, in PEM, which differs at every start. */
  root(index?: number): Promise<string>;
  /** The intermediate certificates that it sends, in PEM. */
  intermediate(): Promise<string>;
  /** Changes its DNS: `set-txt`, `add-a`, `set-servfail` and so on, with their body. */
  dns(change: string, body: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns `Valid` or `Revoked` for a serial number in hexadecimal. */
  statusOf(serial: string): Promise<string>;
}

/** Ends a server with a killed test, where the system supports it. */
export const dying: readonly string[] =
  Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

/** Starts Pebble and its DNS, which returns 127.0.0.1 for every name. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const directory = await mkdtemp(join(tmpdir(), "pebble-"));
  await makeListenerCertificate(directory);
  const [certificate, key] = await Promise.all([
    readFile(join(directory, "listener.pem"), "utf8"),
    readFile(join(directory, "listener.key"), "utf8"),
  ]);
  const [acmePort = 0, managementPort = 0, dnsPort = 0, dnsManagementPort = 0] = await freePorts(4);
  await writeFile(
    join(directory, "pebble.json"),
    JSON.stringify({ pebble: configuration(directory, acmePort, managementPort, options) }),
  );
  const ownDns = options.dnsServer === undefined;
  const dnsAt = options.dnsServer ?? `127.0.0.1:${dnsPort}`;
  const children = [
    ...(ownDns
      ? [start(["pebble-challtestsrv", ...challengeServerArgs(dnsAt, dnsManagementPort)])]
      : []),
    start(
      [
        options.program ?? PEBBLE,
        "-config",
        join(directory, "pebble.json"),
        ...(options.strict === true ? ["-strict"] : []),
        "-dnsserver",
        dnsAt,
      ],
      {
        ...(options.sleepSeconds === undefined
          ? { PEBBLE_VA_NOSLEEP: "1" }
          : { PEBBLE_VA_SLEEPTIME: String(options.sleepSeconds) }),
        PEBBLE_WFE_NONCEREJECT: String(options.refusedNonces ?? 20),
        PEBBLE_AUTHZREUSE: String(options.reusedAuthorizations ?? 0),
        PEBBLE_CHAIN_LENGTH: String(options.chainLength ?? 1),
        PEBBLE_ALTERNATE_ROOTS: String(options.alternateRoots ?? 0),
      },
    ),
  ];
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill();
    await Promise.all(children.map(({ exited }) => exited));
    await rm(directory, { recursive: true, force: true });
  };
  const ask = async (path: string): Promise<string> => {
    const url = `https://127.0.0.1:${managementPort}${path}`;
    const response = await fetch(url, { tls: { ca: certificate } });
    if (!response.ok) throw new Error(`pebble answered ${response.status} to ${path}`);
    return response.text();
  };
  const dns = async (change: string, body: unknown): Promise<void> => {
    const url = `http://127.0.0.1:${dnsManagementPort}/${change}`;
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`challtestsrv answered ${response.status} to ${change}`);
  };
  try {
    await eventually(() => ask("/roots/0"));
    if (ownDns) await eventually(() => dns("set-default-ipv4", { ip: "127.0.0.1" }));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    directoryUrl: `https://127.0.0.1:${acmePort}/dir`,
    dnsServer: dnsAt,
    listenerCertificate: certificate,
    listenerKey: key,
    root: (index = 0) => ask(`/roots/${index}`),
    intermediate: () => ask("/intermediates/0"),
    dns,
    statusOf: async (serial) => {
      // Pebble omits leading zeros of serial numbers.
      const state: { readonly Status: string } = JSON.parse(
        await ask(`/cert-status-by-serial/${serial.replace(/^0+/, "")}`),
      );
      return state.Status;
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** An external account key that Pebble knows if started with it. */
export const someExternalAccount: ExternalAccount = {
  keyId: "shelter-1",
  hmacKey: "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W",
};

function configuration(
  directory: string,
  acmePort: number,
  managementPort: number,
  { httpPort, tlsPort, externalAccount, refusedNames, validitySeconds, profiles }: PebbleOptions,
): unknown {
  return {
    listenAddress: `127.0.0.1:${acmePort}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(directory, "listener.pem"),
    privateKey: join(directory, "listener.key"),
    httpPort,
    tlsPort,
    ocspResponderURL: "",
    externalAccountBindingRequired: externalAccount !== undefined,
    ...(externalAccount !== undefined && {
      externalAccountMACKeys: { [externalAccount.keyId]: externalAccount.hmacKey },
    }),
    domainBlocklist: refusedNames ?? [],
    certificateValidityPeriod: validitySeconds ?? 90 * 86_400,
    // Newer versions have profiles in place of the period.
    ...((profiles ?? validitySeconds) !== undefined && {
      profiles: Object.fromEntries(
        Object.entries(profiles ?? { default: validitySeconds }).map(([name, validityPeriod]) => [
          name,
          { description: `${name} of ${validityPeriod} s`, validityPeriod },
        ]),
      ),
    }),
  };
}

function challengeServerArgs(dnsAt: string, managementPort: number): readonly string[] {
  const none = ["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""];
  return ["-management", `127.0.0.1:${managementPort}`, "-dns01", dnsAt, ...none];
}

function start(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return Bun.spawn([...dying, ...command], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "ignore", "ignore"],
  });
}

async function makeListenerCertificate(directory: string): Promise<void> {
  const files = [
    "-keyout",
    join(directory, "listener.key"),
    "-out",
    join(directory, "listener.pem"),
  ];
  const child = Bun.spawn(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
      .concat(["-days", "2", "-subj", "/CN=pebble"], files)
      .concat("-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  if ((await child.exited) !== 0) throw new Error("openssl made no certificate");
}

/** Polls until the processes respond, at most 60 s. */
async function eventually(ask: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await Bun.sleep(20);
    }
  }
}
