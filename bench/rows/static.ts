import { writeFileSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ensureTools } from "../../scripts/debian.ts";
import { startServer, type Child } from "../child.ts";
import { alternateLoads } from "../compare.ts";
import { serve, type Served } from "../load.ts";
import { program, startProgram } from "../program.ts";
import { publish } from "../publish.ts";
import { atLeast, loadFigure, type Bench, type Figure, type Gap, type Row } from "../row.ts";

/** Row 15: files of a deploy, compared with a dedicated web server. */
export const staticFiles: Row = {
  name: "static",

  measure: async (bench) => {
    const missing = await ensureTools([NGINX]);
    if (missing !== undefined) return [gap(missing)];
    await using servers = await startServers(bench);
    const { seconds } = bench;
    const figures: Figure[] = [];
    for (const { name, what } of FILES) {
      bench.say(`row 15: ${what}`);
      const load = (child: Child): Promise<Served> =>
        serve(child, { url: `${child.url}/${name}`, headers: servers.headers, seconds });
      const { source, compiled, nginx } = servers;
      for (const server of [source, compiled, nginx]) await load(server);
      const seen = await alternateLoads(bench.runs, {
        source: () => load(source),
        compiled: () => load(compiled),
        nginx: () => load(nginx),
      });
      const beside = (how: string, ours: Served): Figure =>
        loadFigure(
          { row: 15, what: `${what}, ${how}`, against: "nginx" },
          { ours, theirs: seen.nginx },
          atLeast(0.75),
        );
      figures.push(beside("from source", seen.source), beside("compiled", seen.compiled));
    }
    return figures;
  },

  smoke: async (bench) => {
    if (Bun.which(NGINX.command) === null) return [gap("nginx is not installed")];
    await using servers = await startServers(bench);
    for (const { name, size } of FILES) {
      const sent = await Bun.file(join(servers.site, name)).bytes();
      for (const { url } of [servers.source, servers.compiled, servers.nginx]) {
        const answer = await fetch(`${url}/${name}`, { headers: servers.headers });
        const same = Buffer.from(sent).equals(Buffer.from(await answer.arrayBuffer()));
        if (sent.length !== size || !same) throw new Error(`${name} is not as it was deployed`);
      }
    }
    return [];
  },
};

const NGINX = { command: "nginx", debianPackage: "nginx-light" };

/** Incompressible, like pictures. */
const FILES = [
  { name: "icon.png", size: 4 * 1_024, what: "a file of 4 KB" },
  { name: "photo.jpg", size: 1_024 * 1_024, what: "a file of 1 MB" },
] as const;

function gap(reason: string): Gap {
  return { row: 15, what: "files of a deploy", reason };
}

interface Servers extends AsyncDisposable {
  readonly source: Child;
  readonly compiled: Child;
  readonly nginx: Child;
  /** The path of the files that all of them serve. */
  readonly site: string;
  /** Headers with the project's host. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts both forms of the program over a deploy, and nginx over the same directory. */
async function startServers(bench: Bench): Promise<Servers> {
  const site = join(bench.scratch, "site");
  await mkdir(site, { recursive: true });
  for (const { name, size } of FILES) {
    await Bun.write(join(site, name), crypto.getRandomValues(Buffer.alloc(size)));
  }
  const shelter = await bench.shelter("static");
  const { slug } = await publish(site, shelter.dataDir);
  // The deploy is created once and copied.
  const twin = { dataDir: join(bench.scratch, "static-compiled") };
  await cp(shelter.dataDir, twin.dataDir, { recursive: true });
  const executable = await bench.executable();
  await using stack = new AsyncDisposableStack();
  const use = async (child: Promise<Child>) => stack.use(await child);
  const source = await use(startProgram("static source", program, shelter));
  const compiled = await use(startProgram("static compiled", executable, twin));
  const nginx = await use(startNginx(bench, site));
  const started = stack.move();
  return {
    source,
    compiled,
    nginx,
    site,
    // Capitalized, because wrk would otherwise add its own Host.
    headers: { Host: `${slug}.localhost` },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function startNginx({ scratch }: Bench, site: string): Promise<Child> {
  const home = join(scratch, "nginx");
  await mkdir(home, { recursive: true });
  const configuration = join(home, "nginx.conf");
  return startServer({
    name: "nginx",
    scratch,
    probe: `/${FILES[0].name}`,
    command: (port) => {
      writeFileSync(configuration, nginxConfiguration(home, site, port));
      return [NGINX.command, "-c", configuration, "-e", join(home, "error.log")];
    },
  });
}

/** One process, no log, and nginx's recommended settings for files. */
function nginxConfiguration(home: string, site: string, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off;
master_process off;
worker_processes 1;
pid ${home}/nginx.pid;
error_log ${home}/error.log;
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  ${temporary.map((name) => `${name}_temp_path ${home}/${name};`).join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    root ${site};
  }
}
`;
}
