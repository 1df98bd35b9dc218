import { deepEqual, equal } from "node:assert/strict";

import { freePort } from "../helpers/free-ports.ts";
import { startNginx } from "../helpers/nginx.ts";
import { placeAt, type Check, type Place } from "./check.ts";
import { arrivesInParts, slowsDown } from "./checks/connections.ts";
import { checks, runAt } from "./checks.ts";
import type { Host } from "./host.ts";
import type { Running } from "./running.ts";

/** A common configuration: the host sees another Host, kept connections, and the headers of one trusted proxy. */
const LOCATION = `
  proxy_http_version 1.1; proxy_set_header Connection "";
  proxy_set_header Host inside.test;
  proxy_set_header X-Forwarded-Host $http_host; proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`;
/** What Cloudflare's network sends to a Worker, which sees the Host that the client asked for. */
const EDGE = `
  proxy_http_version 1.1; proxy_set_header Connection "";
  proxy_set_header Host $http_host; proxy_set_header CF-Connecting-IP $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`;
const UPSTREAM = "keepalive 4;";

/** The checks of streams, with another configuration. */
export const unbufferedChecks: readonly Check[] = [
  {
    name: "without buffering, a stream arrives in parts",
    run: (place) => arrivesInParts(place),
  },
  {
    name: "without buffering, a slow reader slows the service, and disconnecting stops it",
    run: (place) => slowsDown(place),
  },
];

/** Refusals leave unread bodies on connections that nginx goes on using. */
const kept: Check = {
  name: "connections that nginx keeps stay usable after refused bodies",
  async run({ base, authorized }) {
    for (let round = 0; round < 40; round++) {
      const refused = await fetch(`${base}/pets`, {
        method: "POST",
        headers: { authorization: `Bearer none${round % 2}`, "content-type": "application/json" },
        body: "x".repeat(round % 4 === 0 ? 300_000 : 100),
      });
      deepEqual([refused.status, (await refused.json()).status], [refused.status, refused.status]);
      const served = await fetch(`${base}/pets`, { headers: authorized });
      equal(served.status, 200);
      await served.arrayBuffer();
    }
  },
};

/** The checks that a proxy does not answer itself, and those of its own. */
export const proxiedChecks: readonly Check[] = [
  ...checks.filter(({ proxied, at }) => proxied !== false && (at ?? ["plain"]).includes("plain")),
  kept,
];

/** Whether something tells the petstore of a proxy. */
export function runsBehindNginx({ mounts, edge }: Host): boolean {
  return edge || mounts.proxied !== undefined;
}

/** Runs the checks behind a real nginx, and reports each by its name. */
export async function runBehindNginx(
  host: Host,
  running: Running,
  report: (check: Check, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const role = host.edge ? "plain" : "proxied";
  const headers = host.edge ? EDGE : LOCATION;
  for (const [location, list] of [
    [headers, proxiedChecks],
    [`${headers} proxy_buffering off; proxy_request_buffering off;`, unbufferedChecks],
  ] as const) {
    const port = await freePort();
    await using _nginx = await startNginx(running.port, { location, upstream: UPSTREAM, port });
    const origin = `http://127.0.0.1:${port}`;
    const place: Place = await placeAt(host, running, { role, origin });
    for (const check of list) {
      if (check.routes === true && !host.routes) continue;
      await report(check, () => runAt(check, place));
    }
  }
}
