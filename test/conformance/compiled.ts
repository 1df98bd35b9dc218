import { connect } from "node:net";

import { api, type Api } from "../helpers/api.ts";
import type { Program } from "../helpers/process.ts";
import type { Env } from "./case.ts";
import { sheltering, type Operator } from "./shelter.ts";

/** Options of `serve` that the cases count on: they say from which address they come. */
export const SERVE_ARGS: readonly string[] = [
  "--staging-listen",
  "127.0.0.1:0",
  "--trusted-proxies",
  "127.0.0.0/8",
];

/**
 * Returns the program as a case sees it that comes from `address`. What an operator does is done by `client`, which
 * speaks to the program as its own commands do.
 */
export function compiled({ origin, output }: Program, client: Operator, address: string): Env {
  const pattern = /listening on (http:\/\/[^\s"]+)","environment":"staging"/;
  const staging = pattern.exec(output())?.[1];
  if (staging === undefined) throw new Error(`there is no Staging:\n${output()}`);

  const speak = (base: string, from: string): Api =>
    api({
      base,
      fetch: (request) => {
        request.headers.set("x-forwarded-for", from);
        return fetch(request);
      },
    });
  const anyone = speak(origin, address);
  const anyoneInStaging = speak(staging, address);

  return {
    anyone,
    staging: anyoneInStaging,
    from: (other) => speak(origin, other),
    account: sheltering(() => client, { production: anyone, staging: anyoneInStaging }),
    get inside(): never {
      throw new Error("nobody is inside a process of its own");
    },
    socket: (text, { patienceMs = 5_000 } = {}) => exchange(origin, text, patienceMs),
  };
}

/** Writes `text` on a connection; resolves with what came back when it ends, breaks or keeps still too long. */
function exchange(origin: string, text: string, patienceMs: number): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(text, "latin1");
    });
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on("data", (data) => {
      answer += data.toString("latin1");
    });
    // What was refused may be reset while it is still being written: the answer counts.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(answer));
  });
}
