import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface StartedNginx extends AsyncDisposable {
  /** Sends a request through it. */
  readonly ask: (path: string, init: RequestInit) => Promise<Response>;
}

export interface NginxOptions {
  /** Directives of the server's only location. Default: none, so HTTP/1.0 and `Connection: close` to the port. */
  readonly location?: string;
  /** Directives of the upstream. Default: none, so no connection is kept. */
  readonly upstream?: string;
  /** A loopback port that it listens on too. */
  readonly port?: number;
}

/** Starts nginx before a port of this machine. */
export async function startNginx(
  behind: number,
  { location = "", upstream = "", port }: NginxOptions = {},
): Promise<StartedNginx> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-nginx-"));
  const socket = join(directory, "socket");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join(" ");
  const configuration = join(directory, "nginx.conf");
  const server = `127.0.0.1:${behind}`;
  const upstreams = upstream === "" ? "" : `upstream host { server ${server}; ${upstream} }`;
  const host = upstream === "" ? server : "host";
  const listens = port === undefined ? "" : `listen 127.0.0.1:${port};`;
  await Bun.write(
    configuration,
    `daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/errors;
     events {}
     http {
       access_log off; ${temporary} client_max_body_size 100m;
       ${upstreams}
       server { listen unix:${socket}; ${listens} location / { proxy_pass http://${host}; ${location} } }
     }`,
  );
  const child = Bun.spawn(["nginx", "-c", configuration, "-e", join(directory, "errors")], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  const ask: StartedNginx["ask"] = (path, init) =>
    fetch(`http://localhost${path}`, { ...init, unix: socket });
  const isUp = (): Promise<boolean> =>
    ask("/", {}).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) {
      throw new Error(await Bun.file(join(directory, "errors")).text());
    }
    await Bun.sleep(10);
  }
  return {
    ask,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGQUIT");
      await child.exited;
      await rm(directory, { recursive: true });
    },
  };
}
