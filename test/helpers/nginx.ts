import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface StartedNginx extends AsyncDisposable {
  /** Sends a request through it. */
  readonly ask: (path: string, init: RequestInit) => Promise<Response>;
}

/** Starts nginx with its defaults before a port of this machine: HTTP/1.0 and `Connection: close` to it. */
export async function startNginx(port: number): Promise<StartedNginx> {
  const directory = await mkdtemp(join(tmpdir(), "petstore-nginx-"));
  const socket = join(directory, "socket");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join(" ");
  const configuration = join(directory, "nginx.conf");
  await Bun.write(
    configuration,
    `daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/errors;
     events {}
     http {
       access_log off; ${temporary} client_max_body_size 100m;
       server { listen unix:${socket}; location / { proxy_pass http://127.0.0.1:${port}; } }
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
  while (!(await isUp())) await Bun.sleep(10);
  return {
    ask,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGQUIT");
      await child.exited;
      await rm(directory, { recursive: true });
    },
  };
}
