import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request as send } from "node:https";

import type { Pebble } from "../pebble.ts";
import type { Action, Reply, Resource, Rule, SeenRequest } from "./rule.ts";

/** A proxy in front of Pebble that injects faults. */
export interface FaultCa extends AsyncDisposable {
  readonly directoryUrl: string;
  readonly listenerCertificate: string;
  /** All requests since `clear`, with or without a response. */
  readonly requests: readonly SeenRequest[];
  /** The number of connections. */
  connections(): number;
  /** Adds a rule. The first matching rule that has not been used up decides. */
  break(...rules: readonly Rule[]): void;
  /** Resolves when the next request to `resource` arrives. */
  arrival(resource: Resource): Promise<void>;
  /** Removes all rules and requests. */
  clear(): void;
}

const PATHS: readonly (readonly [string, Resource])[] = [
  ["/dir", "directory"],
  ["/nonce-plz", "newNonce"],
  ["/sign-me-up", "newAccount"],
  ["/order-plz", "newOrder"],
  ["/my-order/", "order"],
  ["/authZ/", "authorization"],
  ["/chalZ/", "challenge"],
  ["/finalize-order/", "finalize"],
  ["/certZ/", "certificate"],
  ["/revoke-cert", "revokeCert"],
];

export async function startFaultCa(pebble: Pebble): Promise<FaultCa> {
  const upstream = new URL(pebble.directoryUrl);
  const agent = new Agent({ keepAlive: true, ca: pebble.listenerCertificate });
  let rules: { readonly rule: Rule; left: number }[] = [];
  let waiting: { readonly resource: Resource; readonly come: () => void }[] = [];
  const requests: SeenRequest[] = [];
  let connections = 0;

  const actionFor = (seen: SeenRequest): Action | undefined => {
    const found = rules.find(({ rule: { match }, left }) => {
      if (left <= 0) return false;
      return typeof match === "string" ? match === seen.resource : match(seen);
    });
    if (found !== undefined) found.left--;
    return found?.rule.action;
  };

  const forward = (method: string, path: string, host: string, body: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const headers = { host, "user-agent": "fault-ca", "content-type": "application/jose+json" };
      const { hostname, port } = upstream;
      const request = send({
        hostname,
        port,
        method,
        path,
        agent,
        headers,
        ca: pebble.listenerCertificate,
      });
      request.on("error", reject);
      request.on("response", (response) => {
        void wholeBody(response).then((text) => {
          const kept = ["content-type", "link", "location", "replay-nonce", "date"];
          const entries = kept.flatMap((name) => {
            const value = response.headers[name];
            return value === undefined ? [] : [[name, [value].flat().join(", ")] as const];
          });
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(entries),
            body: text,
          });
        });
      });
      request.end(body);
    });

  const freshNonce = async (host: string): Promise<string> =>
    (await forward("HEAD", "/nonce-plz", host, "")).headers["replay-nonce"] ?? "";

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await wholeBody(request);
    const { method = "", url: path = "" } = request;
    const host = request.headers.host ?? "";
    const seen = read(method, path, request.headers["user-agent"] ?? "", body);
    requests.push(seen);
    for (const one of waiting) if (one.resource === seen.resource) one.come();
    waiting = waiting.filter(({ resource }) => resource !== seen.resource);
    const onward = () => forward(method, path, host, body);
    const action = actionFor(seen);
    switch (action?.do) {
      case undefined:
        answer(response, await onward());
        return;
      case "reply": {
        const nonce = action.nonce === false ? {} : { "replay-nonce": await freshNonce(host) };
        const { status = 200, headers = {}, body = "" } = action.reply;
        answer(response, { status, headers: { ...nonce, ...headers }, body });
        return;
      }
      case "hang":
        if (action.in === "headers") return;
        partly(response, await onward());
        return;
      case "reset":
        if (action.when === "after") await onward();
        request.socket.destroy();
        return;
      case "drop-after": {
        const reply = await onward();
        response.writeHead(reply.status, { ...reply.headers, "content-length": reply.body.length });
        response.write(reply.body.slice(0, action.bytes), () => request.socket.destroy());
        return;
      }
      case "delay":
        await action.until;
        answer(response, await onward());
        return;
      case "corrupt":
        answer(response, await action.change(await onward()));
        return;
    }
  };

  const server = createServer(
    { cert: pebble.listenerCertificate, key: pebble.listenerKey },
    (request, response) => {
      handle(request, response).catch(() => request.socket.destroy());
    },
  );
  server.on("secureConnection", () => connections++);
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });

  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    listenerCertificate: pebble.listenerCertificate,
    requests,
    connections: () => connections,
    break: (...more) => {
      rules = [...rules, ...more.map((rule) => ({ rule, left: rule.times ?? 1 }))];
    },
    arrival: (resource) =>
      new Promise((come) => {
        waiting = [...waiting, { resource, come }];
      }),
    clear: () => {
      rules = [];
      requests.length = 0;
    },
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** Sends the head and half of the body, without an end. */
function partly(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, "content-length": body.length });
  response.write(body.slice(0, body.length / 2));
}

function read(method: string, path: string, userAgent: string, body: string): SeenRequest {
  const resource = PATHS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "other";
  const seen = { method, resource, path, userAgent };
  if (body === "") return seen;
  const jws: { readonly protected: string; readonly payload: string } = JSON.parse(body);
  const { nonce }: { readonly nonce: string } = JSON.parse(decoded(jws.protected));
  return {
    ...seen,
    nonce,
    ...(jws.payload !== "" && { payload: JSON.parse(decoded(jws.payload)) }),
  };
}

function decoded(text: string): string {
  return Buffer.from(text, "base64url").toString();
}

async function wholeBody(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += chunk;
  return text;
}
