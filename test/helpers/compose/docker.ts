/**
 * Acts as `docker` for an example with a compose.yaml, without an engine: every container is a chroot of this machine with
 * network, mounts, user, secrets, volumes and environment of its own, and the program that Debian installs instead of the one
 * in the image. Only in the namespaces that test/helpers/compose/machine.sh makes.
 */
import { existsSync } from "node:fs";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { join, resolve } from "node:path";

/** A service in compose.yaml: the keys that the examples use. */
interface Service {
  readonly image: string;
  readonly user?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly networks: { readonly default: { readonly ipv4_address: string } };
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly stop_signal?: NodeJS.Signals;
  readonly read_only?: boolean;
}

interface Project {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** What the image of a service contains. */
interface Image {
  readonly user: string;
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly healthcheck?: readonly string[];
  /** Directories that belong to its user. */
  readonly owns?: readonly string[];
  /** Programs of this machine, by their paths in the image. */
  readonly programs?: Readonly<Record<string, string>>;
}

const STATE = must("COMPOSE_STATE");
const ROOT = resolve(import.meta.dir, "../../..");
const GATEWAY = "172.30.16.1";
const PATIENCE_MS = 120_000;

const project = Bun.YAML.parse(
  (await readFile("compose.yaml", "utf8")).replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, other: string) => process.env[name] ?? other,
  ),
) as Project;
const [postgresFolder = ""] = new Bun.Glob("usr/lib/postgresql/*/bin").scanSync({
  cwd: "/",
  onlyFiles: false,
});

const images: Readonly<Record<string, Image>> = {
  petstore: {
    user: "65532:65532",
    env: await dockerfileEnv(),
    entrypoint: ["/usr/local/bin/petstore"],
    command: ["serve"],
    healthcheck: ["CMD", "/usr/local/bin/petstore", "healthcheck"],
    owns: ["/data", "/backups"],
    programs: { "/usr/local/bin/petstore": must("COMPOSE_PROGRAM") },
  },
  postgres: {
    user: "postgres",
    path: `/${postgresFolder}:`,
    owns: ["/var/lib/postgresql/data", "/var/run/postgresql"],
  },
  haproxy: {
    user: "haproxy",
    command: ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"],
  },
  "valkey/valkey": {
    user: "redis",
    programs: {
      "/usr/local/bin/valkey-server": Bun.which("valkey-server") ?? "/usr/bin/redis-server",
      "/usr/local/bin/valkey-cli": Bun.which("valkey-cli") ?? "/usr/bin/redis-cli",
    },
  },
};

const [group, verb, ...rest] = process.argv.slice(2);
if (group === "forward") {
  forward(Number(verb), String(rest[0]), Number(rest[1]));
} else if (group === "volume" && verb === "rm") {
  for (const name of rest) await rm(join(STATE, "volumes", name), { recursive: true });
} else if (group === "compose" && verb !== undefined) {
  process.exitCode = await compose(verb, rest);
} else {
  throw new Error(`docker ${process.argv.slice(2).join(" ")} is not supported here`);
}

async function compose(command: string, args: readonly string[]): Promise<number> {
  for (const name of Object.keys(project.services)) await restart(name);
  if (command === "exec") {
    const [flags, [name = "", ...inner]] = split(args);
    if (flags.some((flag) => flag !== "-T")) throw new Error(`exec ${flags.join(" ")}`);
    return run(inside(name, inner), "inherit");
  }
  const [flags, names] = split(args.filter((arg) => arg !== "-f"));
  const chosen = names.length > 0 ? names : Object.keys(project.services);
  switch (command) {
    case "up":
      for (const name of flags.includes("--no-deps") ? chosen : inOrder(chosen)) {
        if (flags.includes("--force-recreate")) await end(name, "stop");
        if (!isRunning(name)) await start(name);
      }
      if (flags.includes("--wait")) for (const name of chosen) await healthy(name);
      return 0;
    case "start":
      for (const name of chosen) await start(name);
      return 0;
    case "stop":
    case "kill":
      for (const name of chosen) await end(name, command);
      return 0;
    case "rm":
      for (const name of chosen) if (isRunning(name)) throw new Error(`${name} runs`);
      return 0;
    case "logs":
      for (const name of chosen) console.log(await readFile(fileOf(name, "log"), "utf8"));
      return 0;
    default:
      throw new Error(`docker compose ${command} is not supported here`);
  }
}

function must(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`${variable} is not set`);
  return value;
}

/** Separates flags from the arguments that follow. */
function split(args: readonly string[]): readonly [readonly string[], readonly string[]] {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at)];
}

/** Returns the services and those they depend on, which come first. */
function inOrder(names: readonly string[], seen: Set<string> = new Set()): readonly string[] {
  for (const name of names) {
    inOrder(Object.keys(serviceOf(name).depends_on ?? {}), seen);
    seen.add(name);
  }
  return [...seen];
}

function serviceOf(name: string): Service {
  const service = project.services[name];
  if (service === undefined) throw new Error(`no service is named ${name}`);
  return service;
}

function imageOf(name: string): Image {
  const { image } = serviceOf(name);
  const found = images[image.slice(0, image.lastIndexOf(":"))];
  if (found === undefined) throw new Error(`the image ${image} is unknown here`);
  return found;
}

function fileOf(name: string, kind: "pid" | "log"): string {
  return join(STATE, `${name}.${kind}`);
}

function pidOf(name: string): number | undefined {
  return existsSync(fileOf(name, "pid"))
    ? Number(new TextDecoder().decode(Bun.spawnSync(["cat", fileOf(name, "pid")]).stdout))
    : undefined;
}

function isRunning(name: string): boolean {
  const pid = pidOf(name);
  if (pid === undefined) return false;
  const state = Bun.spawnSync(["cut", "-d", " ", "-f", "3", `/proc/${pid}/stat`], {
    stderr: "ignore",
  });
  const letter = state.stdout.toString().trim();
  return letter !== "" && letter !== "Z";
}

/** The environment of a service, and who runs it. */
function launch(name: string, command: readonly string[]): readonly string[] {
  const { user, path = "", env = {} } = imageOf(name);
  const [uid = "", gid = uid] = (serviceOf(name).user ?? user).split(":");
  const all = { ...env, ...serviceOf(name).environment };
  return [
    ...[
      "setpriv",
      `--reuid=${uid}`,
      `--regid=${gid}`,
      "--clear-groups",
      "env",
      "-i",
      "-C",
      "/",
      "HOME=/",
    ],
    `PATH=${path}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    ...Object.entries(all).map(([key, value]) => `${key}=${value}`),
    ...command,
  ];
}

/** Returns a command in the container of a service. */
function inside(name: string, command: readonly string[]): readonly string[] {
  const target = ["nsenter", `--target=${pidOf(name)}`, "--mount", "--net", "--root"];
  return [...target, "--", ...launch(name, command)];
}

async function run(command: readonly string[], output: "inherit" | "ignore"): Promise<number> {
  return Bun.spawn([...command], { stdio: ["ignore", output, output] }).exited;
}

async function start(name: string): Promise<void> {
  const service = serviceOf(name);
  for (const other of Object.keys(service.depends_on ?? {})) {
    if (isRunning(other)) await healthy(other);
  }
  const image = imageOf(name);
  const address = service.networks.default.ipv4_address;
  const root = join(STATE, "containers", name);
  await mkdir(root, { recursive: true });
  const owner = (service.user ?? image.user).replace(/^(\w+)$/, "$1:$1");
  const lines = [
    "set -e",
    `mount -t tmpfs tmpfs ${root} && mkdir ${root}/upper ${root}/work ${root}/root`,
    `mount -t overlay overlay -o lowerdir=/,upperdir=${root}/upper,workdir=${root}/work ${root}/root`,
    `cd ${root}/root && mount --rbind /proc proc && mount --rbind /dev dev`,
    "cp /etc/hosts etc/hosts && rm -rf run/* && ln -sfn ../run var/run && mkdir -p run/secrets",
    ...(image.owns ?? []).map((path) => `mkdir -p .${path} && chown ${owner} .${path}`),
    ...Object.entries(image.programs ?? {}).map(
      ([path, program]) => `touch .${path} && mount --bind ${program} .${path}`,
    ),
    ...(service.secrets ?? []).map((secret) =>
      boundFile(resolve(project.secrets[secret]?.file ?? ""), `/run/secrets/${secret}`),
    ),
  ];
  for (const volume of service.volumes ?? []) {
    const [from = "", to = ""] = volume.split(":");
    if (!from.startsWith(".")) {
      // A new volume belongs to the user of the image if the image's directory does, otherwise to root.
      const kept = join(STATE, "volumes", `${project.name}_${from}`);
      const by = image.owns?.includes(to) === true ? owner : "root:root";
      lines.push(`mkdir -p -m 700 ${kept} && chown ${by} ${kept} && mkdir -p .${to}`);
      lines.push(`mount --bind ${kept} .${to}`);
    } else if (/\.\w+$/.test(to)) lines.push(boundFile(resolve(from), to));
    else lines.push(`mkdir -p .${to} && mount --bind ${resolve(from)} .${to}`);
  }
  if (service.read_only === true) lines.push(`mount -o remount,ro,bind ${root}/root`);
  const program = [
    ...(service.entrypoint ?? image.entrypoint ?? []),
    ...(service.command ?? image.command ?? []),
  ];
  lines.push(`exec chroot ${root}/root ${launch(name, program).map(quoted).join(" ")}`);
  await network(name, address);
  const log = Bun.file(fileOf(name, "log"));
  const child = Bun.spawn(
    [
      ...["setsid", "nsenter", `--net=/run/netns/${name}`, "unshare", "--mount"],
      ...["sh", "-c", lines.join("\n")],
    ],
    { stdio: ["ignore", log, log] },
  );
  await writeFile(fileOf(name, "pid"), String(child.pid));
  child.unref();
  for (const port of service.ports ?? []) {
    const [outer = "", inner = ""] = port.split(":");
    const self = [process.execPath, import.meta.path, "forward", outer, address, inner];
    Bun.spawn(["setsid", ...self], { stdio: ["ignore", "ignore", "ignore"] }).unref();
  }
}

/** Starts a service again that ended by itself, as the engine would have done. */
async function restart(name: string): Promise<void> {
  const ended = pidOf(name) !== undefined && !isRunning(name);
  if (!ended || serviceOf(name).restart === undefined) return;
  await start(name);
  await healthy(name);
}

function boundFile(from: string, to: string): string {
  return `mkdir -p .${to.slice(0, to.lastIndexOf("/"))} && touch .${to} && mount --bind ${from} .${to}`;
}

/** Connects a service to the network of the project, once. */
async function network(name: string, address: string): Promise<void> {
  if (existsSync(`/run/netns/${name}`)) return;
  const script = [
    `ip netns add ${name}`,
    `ip link add v-${name} type veth peer name eth0 netns ${name}`,
    `ip link set v-${name} master br0 up`,
    `ip -n ${name} link set lo up`,
    `ip -n ${name} addr add ${address}/24 dev eth0`,
    `ip -n ${name} link set eth0 up`,
    `ip -n ${name} route add default via ${GATEWAY}`,
  ];
  const code = await run(["sh", "-ec", script.join("\n")], "inherit");
  if (code !== 0) throw new Error(`${name} has no network`);
  await appendFile("/etc/hosts", `${address} ${name}\n`);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Waits until the health check of a service succeeds. */
async function healthy(name: string): Promise<void> {
  const [, ...check] = serviceOf(name).healthcheck?.test ?? imageOf(name).healthcheck ?? [];
  const until = Date.now() + PATIENCE_MS;
  while (check.length > 0 && (await run(inside(name, check), "ignore")) !== 0) {
    if (!isRunning(name) || Date.now() > until) {
      throw new Error(`${name} is not healthy:\n${await readFile(fileOf(name, "log"), "utf8")}`);
    }
    await Bun.sleep(100);
  }
}

async function end(name: string, how: "stop" | "kill"): Promise<void> {
  const pid = pidOf(name);
  if (pid === undefined || !isRunning(name)) return;
  process.kill(pid, how === "kill" ? "SIGKILL" : (serviceOf(name).stop_signal ?? "SIGTERM"));
  while (isRunning(name)) await Bun.sleep(20);
  await rm(fileOf(name, "pid"));
}

/** Publishes a port of a container, as Docker's own proxy does. */
function forward(port: number, host: string, target: number): void {
  const server = createServer((client) => {
    const upstream = createConnection({ host, port: target });
    client.on("error", () => upstream.destroy()).pipe(upstream);
    upstream.on("error", () => client.destroy()).pipe(client);
  });
  server.listen(port, "0.0.0.0");
}

/** The `ENV` of the Dockerfile. */
async function dockerfileEnv(): Promise<Readonly<Record<string, string>>> {
  const text = (await readFile(join(ROOT, "Dockerfile"), "utf8")).replaceAll("\\\n", " ");
  const [, line = ""] = /^ENV (.*)$/m.exec(text) ?? [];
  return Object.fromEntries(
    line
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split("=", 2) as [string, string]),
  );
}
