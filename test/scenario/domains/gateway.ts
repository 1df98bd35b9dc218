import { createServer } from "node:http";

/** How long a restarted program may take. */
const PATIENCE_MS = 14_000;
const KNOCK_EVERY_MS = 25;
/** The response of a program that is not ready. */
const STARTING = 503;

/** A load balancer in front of several programs. It waits for one that does not listen. */
export interface Gateway extends AsyncDisposable {
  /** The listener for plain HTTP. */
  readonly port: number;
  /** Routes the hosts at and below a name from now on; waits until `seen` accepts a request. */
  lead(name: string, port: number, seen: (host: string) => Promise<void>): void;
}

interface Way {
  readonly port: number;
  readonly seen: (host: string) => Promise<void>;
}

export async function startGateway(): Promise<Gateway> {
  const ways = new Map<string, Way>();
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const [, way] = [...ways].find(([name]) => `.${host}`.endsWith(`.${name}`)) ?? [];
    if (way === undefined) {
      response.writeHead(502).end();
      return;
    }
    const url = `http://127.0.0.1:${way.port}${request.url ?? "/"}`;
    way
      .seen(host)
      .then(() => knock(url, host))
      .then(
        async (answer) => response.writeHead(answer.status).end(await answer.text()),
        () => response.writeHead(502).end(),
      );
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  return {
    port,
    lead: (name, to, seen) => ways.set(name, { port: to, seen }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Retries until a program responds that is ready. */
async function knock(url: string, host: string): Promise<Response> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url, { headers: { host }, keepalive: false }).catch(() => undefined);
    if (answer !== undefined && answer.status !== STARTING) return answer;
    if (Date.now() > until) throw new Error(`nobody answers at ${url}`);
    await Bun.sleep(KNOCK_EVERY_MS);
  }
}
