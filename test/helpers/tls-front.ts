import { createTlsFront, type TlsFront, type TlsFrontOptions } from "../../domains/tls/front.ts";
import type { StartPlainHttp2 } from "../../domains/index.ts";
import type { Presented } from "../../domains/ports/certificates.ts";
import { systemClock } from "../../lib/base/clock.ts";

const engine: { plainHttp2?: StartPlainHttp2 | undefined } = {};

/** From now on, fronts speak HTTP/2 by that engine; by default through the library's. */
export function useEngine(plainHttp2: StartPlainHttp2 | undefined): void {
  engine.plainHttp2 = plainHttp2;
}

/** A front on a free port of the loopback, and what it serves. */
export interface StartedFront extends AsyncDisposable {
  readonly front: TlsFront;
  readonly port: number;
  /** Certificates by the name that is lookups for. */
  readonly live: Map<string, Presented>;
  /** Certificates of challenges that are open. */
  readonly challenged: Map<string, Presented>;
  /** Names that a certificate was lookups for. */
  readonly lookups: string[];
}

/** Serves what `live` holds at the time, names of `one.test` and `two.one.test` as one project. */
export async function startFront(options: Partial<TlsFrontOptions> = {}): Promise<StartedFront> {
  const live = new Map<string, Presented>();
  const challenged = new Map<string, Presented>();
  const lookups: string[] = [];
  const front = createTlsFront({
    certificateFor: (name) => {
      lookups.push(name);
      const found = live.get(name) ?? live.get(`*.${name.slice(name.indexOf(".") + 1)}`);
      return found === undefined ? undefined : { id: found.id, load: () => found };
    },
    challenges: { tlsAlpn01: (name) => challenged.get(name) },
    fetch: (request, info) => Response.json({ url: request.url, method: request.method, ...info }),
    sameProject: () => false,
    clock: systemClock,
    ...engine,
    ...options,
  });
  const { port } = await front.listen({ host: "127.0.0.1", port: 0 });
  return { front, port, live, challenged, lookups, [Symbol.asyncDispose]: () => front.end() };
}
