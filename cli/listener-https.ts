import { createTlsFront, type TlsFrontOptions } from "../domains/index.ts";
import type { Clock, Log } from "../lib/index.ts";
import { authority, reachable, type Endpoint } from "./endpoint.ts";
import { boundAnywhere, type Listener } from "./listener.ts";

/** What a listener for HTTPS serves, once that is known. */
export type Secured = Pick<
  TlsFrontOptions,
  "certificateFor" | "challenges" | "fetch" | "sameProject"
>;

export interface SecureListener extends Listener {
  readonly connections: number;
  /** From now on; before, every handshake is refused. */
  serve(secured: Secured): void;
  /** Breaks off all that is open under the name. */
  closeName(host: string): void;
}

/** Listens for HTTPS. Rejects with a `Failure` that names the option. */
export async function listenSecurely(
  endpoint: Endpoint,
  option: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<SecureListener> {
  let served: Secured | undefined;
  const front = createTlsFront({
    certificateFor: (name) => served?.certificateFor(name),
    challenges: { tlsAlpn01: (name) => served?.challenges.tlsAlpn01(name) },
    fetch: (request, info) => served?.fetch(request, info) ?? new Response(null, { status: 503 }),
    sameProject: (name, host) => served?.sameProject(name, host) ?? false,
    clock,
    log,
  });
  const { port } = await boundAnywhere(endpoint, option, (host) =>
    front.listen({ host, port: endpoint.port }),
  );
  const real = { host: endpoint.host, port };
  return {
    endpoint: real,
    origin: `https://${authority(reachable(real))}`,
    get pending() {
      return front.pending;
    },
    get connections() {
      return front.connections;
    },
    serve: (secured) => {
      served = secured;
    },
    closeName: (host) => front.closeName(host),
    stop: () => front.stop(),
    end: () => front.end(),
  };
}
