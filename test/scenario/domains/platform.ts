import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePorts } from "../../helpers/free-ports.ts";
import { internetMissing, startInternet, type Internet } from "../../helpers/internet.ts";
import { pebbleMissing, startPebble, type Pebble } from "../../helpers/pebble.ts";
import { runProgram, startProgram, type Finished, type Program } from "../../helpers/process.ts";

/** The reason why the scenario cannot run here; undefined if it can. */
export const platformMissing: string | undefined =
  internetMissing ??
  pebbleMissing ??
  (Bun.which("curl") === null ? "needs the Debian package curl" : undefined);

/** The platform at `petstore.example`, a customer's zone `shelter.org`, a CA, and the DNS from the root down. */
export interface Platform extends AsyncDisposable {
  readonly internet: Internet;
  readonly pebble: Pebble;
  readonly program: Program;
  /** The options it was started with, by name. */
  readonly options: Readonly<Record<string, string>>;
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The id of a project with a site, on the Pro plan. */
  readonly slug: string;
  /** Runs a command of the program. */
  run(...args: readonly string[]): Promise<Finished>;
  /** Runs a command with `--json`; ignores its exit code. */
  json<Document>(...args: readonly string[]): Promise<Told<Document>>;
  /** Requests a host like a visitor who trusts only the CA. */
  visit(url: string, ...options: readonly string[]): Promise<Visit>;
  /** Makes a handshake with `openssl s_client`; resumes the session in the file, if it exists. */
  shake(host: string, ...options: readonly string[]): Promise<Finished>;
  path(name: string): string;
}

export interface Told<Document> {
  readonly exitCode: number;
  readonly document: Document;
}

export interface Visit {
  /** The exit code of curl; 0 if there was a response. */
  readonly exitCode: number;
  readonly status: number;
  readonly location: string;
  readonly body: string;
}

export interface PlatformOptions {
  readonly validitySeconds?: number;
  /** The addresses that visitors use if they are forwarded to the listener. Default: the listener's own. */
  readonly publicHttpsPort?: number;
}

/** Starts a platform without accounts. */
export type EmptyPlatform = Omit<Platform, "slug">;

export async function openPlatform(platformOptions: PlatformOptions = {}): Promise<Platform> {
  await using opening = new AsyncDisposableStack();
  const platform = opening.use(await openEmptyPlatform(platformOptions));
  const { json } = platform;
  const account = await json<{ id: string }>("accounts", "create", "Shelter", "--plan", "pro");
  const { document } = await json<{ slug: string }>(
    ...["projects", "create", "Site", "--account", account.document.id],
  );
  await json("deploy", "--starter", "--project", document.slug);
  opening.move();
  return { ...platform, slug: document.slug };
}

export async function openEmptyPlatform({
  validitySeconds,
  publicHttpsPort,
}: PlatformOptions = {}): Promise<EmptyPlatform> {
  await using opening = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), "platform-"));
  opening.defer(() => rm(directory, { recursive: true, force: true }));
  const path = (name: string): string => join(directory, name);
  const [httpPort = 0, httpsPort = 0] = await freePorts(2);

  const internet = opening.use(
    await startInternet({
      "petstore.example": {
        lines: ["@ A 127.0.0.1", "staging A 127.0.0.1", "* A 127.0.0.1", "*.cname A 127.0.0.1"],
      },
      "shelter.org": {
        signed: true,
        lines: ["pets 5 A 203.0.113.9", "@ MX 10 mail", "mail A 203.0.113.10"],
      },
    }),
  );
  const pebble = opening.use(
    await startPebble({
      httpPort,
      tlsPort: httpsPort,
      refusedNonces: 20,
      dnsServer: `${internet.caResolver}:53`,
      ...(validitySeconds === undefined ? {} : { validitySeconds }),
    }),
  );
  await writeFile(path("listener.pem"), pebble.listenerCertificate);
  await writeFile(path("root.pem"), await pebble.root());
  const options = {
    "base-domain": "petstore.example",
    "listen-https": `127.0.0.1:${httpsPort}`,
    "dns-servers": internet.resolver,
    acme: pebble.directoryUrl,
    "acme-ca-file": path("listener.pem"),
    ...(publicHttpsPort === undefined ? {} : { "public-https-port": String(publicHttpsPort) }),
  };
  const program = await startProgram({
    dataDir: path("data"),
    listen: `127.0.0.1:${httpPort}`,
    args: [
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
      "--allow-private-networks",
    ],
  });
  opening.defer(() => program[Symbol.asyncDispose]());
  const run = (...args: readonly string[]): Promise<Finished> =>
    runProgram([...args, "--data-dir", path("data")]);
  const json: Platform["json"] = async (...args) => {
    const { exitCode, stdout, stderr } = await run(...args, "--json");
    if (stdout === "") throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
    return { exitCode, document: JSON.parse(stdout) };
  };

  const opened = opening.move();
  return {
    internet,
    pebble,
    program,
    options,
    httpPort,
    httpsPort,
    run,
    json,
    path,
    visit: async (url, ...options) => {
      const { hostname, port } = new URL(url);
      const { exitCode, stdout } = await spawned([
        ...["curl", "-sS", "--max-time", "10", "--cacert", path("root.pem")],
        ...["--resolve", `${hostname}:${port}:127.0.0.1`, "-w", "\n%{http_code} %{redirect_url}"],
        ...options,
        url,
      ]);
      const end = stdout.lastIndexOf("\n");
      const [status = "0", location = ""] = stdout.slice(end + 1).split(" ");
      return { exitCode, status: Number(status), location, body: stdout.slice(0, end) };
    },
    shake: (host, ...options) =>
      spawned([
        ...["openssl", "s_client", "-connect", `127.0.0.1:${httpsPort}`, "-servername", host],
        ...["-CAfile", path("root.pem"), "-verify_return_error", ...options],
      ]),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function spawned(command: readonly string[]): Promise<Finished> {
  const child = Bun.spawn([...command], { stdio: [new Uint8Array(), "pipe", "pipe"] });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
