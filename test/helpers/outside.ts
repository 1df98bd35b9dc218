import { createServer, type Server } from "node:net";

import { answerProbe } from "../../domains/http/plain-http.ts";
import {
  createOutsideCheck,
  type CheckFromOutside,
  type OutsideCheckOptions,
} from "../../domains/outside/outside-check.ts";
import { createPresence, type Handling } from "../../domains/outside/presence.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { presentedFor } from "./presented.ts";
import { startFront } from "./tls-front.ts";

/** A request over HTTP or HTTPS. */
export interface Visit {
  readonly secure: boolean;
  readonly host: string;
  readonly target: string;
}

/** The servers at a name's public ports; by default this service. */
export interface Outside extends AsyncDisposable {
  readonly look: CheckFromOutside;
  readonly visits: readonly Visit[];
  readonly ports: { readonly plain: number; readonly secure: number };
}

const KEY = new Uint8Array(32).fill(7);

/** Returns this service's response to a request. */
export async function us(visit: Visit, manner: Handling = "served"): Promise<Response> {
  const { host, target } = visit;
  const request = { method: "GET", host: host.replace(/:\d+$/, ""), target };
  const presence = createPresence(KEY);
  return answerProbe(presence, request, () => manner) ?? new Response("a site");
}

export function redirecting(location: string, status = 301): Response {
  return new Response(null, { status, headers: { location } });
}

/** Starts two local listeners for `pets.shelter.org` and a checker that connects to them. */
export async function startOutside(
  answer: (visit: Visit, ports: Outside["ports"]) => Response | Promise<Response> = (visit) =>
    us(visit),
  options: Partial<OutsideCheckOptions> = {},
  hostname = "127.0.0.1",
): Promise<Outside> {
  const visits: Visit[] = [];
  const ports = { plain: 0, secure: 0 };
  const fetch = async (request: Request): Promise<Response> => {
    const { protocol, pathname, search, host } = new URL(request.url);
    const visit = { secure: protocol === "https:", host, target: `${pathname}${search}` };
    visits.push(visit);
    return answer(visit, ports);
  };
  const plain = Bun.serve({ hostname, port: 0, fetch });
  const secure = await startFront({ fetch });
  secure.live.set("pets.shelter.org", await presentedFor("a", "pets.shelter.org"));
  ports.plain = plain.port ?? 0;
  ports.secure = secure.port;
  return {
    ports,
    visits,
    look: createOutsideCheck({
      presence: createPresence(KEY),
      clock: systemClock,
      allowPrivateNetworks: true,
      ports,
      ...options,
    }),
    [Symbol.asyncDispose]: async () => {
      await plain.stop(true);
      await secure.front.end();
    },
  };
}

/** Starts a server that sends `text` to every client, and then closes or hangs. */
export async function saying(
  text: string,
  { hangs = false } = {},
): Promise<AsyncDisposable & { readonly port: number; readonly server: Server }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      if (hangs) socket.write(text);
      else socket.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    server,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
