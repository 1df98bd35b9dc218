import { createServer as createHttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { createSecureContext, createServer as createTlsServer } from "node:tls";

import type { Pipeline } from "../../../domains/pipeline/pipeline.ts";
import type { ChallengeAnswers } from "../../../domains/ports/certificates.ts";
import { challengesOf } from "../../../domains/serving/presented.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import type { World } from "./world.ts";

const noAbort = new AbortController().signal;

/** Servers at which a real CA validates the challenges of a world. */
export interface ValidatedServers extends AsyncDisposable {
  readonly httpPort: number;
  readonly tlsPort: number;
  /** Responds for this world from now on. */
  answerFor(world: World): void;
}

/** Starts the servers. They respond for no world yet. */
export async function startValidatedServers(): Promise<ValidatedServers> {
  let answers: ChallengeAnswers | undefined;
  const http = createHttpServer((request, response) => {
    const [, token = ""] = /^\/\.well-known\/acme-challenge\/(.+)$/.exec(request.url ?? "") ?? [];
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    void Promise.resolve(answers?.http01(host, token)).then((found) => {
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
  });
  const tls = createTlsServer({
    ALPNCallback: () => "acme-tls/1",
    SNICallback: (name, give) => {
      void Promise.resolve(answers?.tlsAlpn01(name)).then((found) => {
        if (found === undefined) give(new Error("unknown name"));
        else give(null, createSecureContext({ cert: found.chainPem, key: found.privateKeyPem }));
      });
    },
  });
  tls.on("secureConnection", (socket) => socket.on("error", () => undefined).end());
  tls.on("tlsClientError", () => undefined);
  const [httpPort, tlsPort] = await Promise.all([listening(http), listening(tls)]);
  return {
    httpPort,
    tlsPort,
    answerFor: ({ domains, clock }) => {
      answers = challengesOf({ store: domains, clock, random: systemRandom });
    },
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      tls.close();
    },
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // It listens on a port, not on a path.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (server.address() as AddressInfo).port;
}

/** Advances until `isOver`, at most 60 s. The world's clock skips to the next due time of an order. */
export async function driveReal(
  world: World,
  pipeline: Pipeline,
  id: string,
  {
    aheadMs = 0,
    isOver = async () => (await world.domain(id)).liveSince !== undefined,
  }: { readonly aheadMs?: number; readonly isOver?: () => Promise<boolean> } = {},
): Promise<void> {
  const until = Date.now() + 60_000;
  let ahead = aheadMs;
  while (Date.now() < until) {
    world.clock.set(Date.now() + ahead);
    const { kind } = await pipeline.advance(id, noAbort);
    if (await isOver()) return;
    if (kind === "did") continue;
    await Bun.sleep(20);
    const { issuance } = await world.domain(id);
    ahead = Math.max(ahead, (issuance.order?.resumeAt ?? 0) - Date.now());
  }
  throw new Error("not over after 60 s");
}
