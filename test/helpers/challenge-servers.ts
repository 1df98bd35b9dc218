import { createServer as createHttpServer } from "node:http";
import type { Server } from "node:net";
import { createSecureContext, createServer as createTlsServer } from "node:tls";

/** The servers that a CA validates: HTTP and TLS, each on a port of 127.0.0.1. */
export interface ChallengeServers extends AsyncDisposable {
  readonly httpPort: number;
  readonly tlsPort: number;
  /** The responses to http-01, by token. */
  readonly files: Map<string, string>;
  /** The certificates and keys for tls-alpn-01, by name, in PEM. */
  readonly certificates: Map<string, { readonly cert: string; readonly key: string }>;
  /** How often each was requested. */
  readonly looks: { http: number; tls: number };
}

export async function startChallengeServers(): Promise<ChallengeServers> {
  const files: ChallengeServers["files"] = new Map();
  const certificates: ChallengeServers["certificates"] = new Map();
  const looks = { http: 0, tls: 0 };

  const http = createHttpServer((request, response) => {
    looks.http++;
    const token = /^\/\.well-known\/acme-challenge\/([\w-]+)$/.exec(request.url ?? "")?.[1];
    const found = files.get(token ?? "");
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "text/plain" });
    response.end(found ?? "");
  });
  const tls = createTlsServer({
    ALPNCallback: ({ protocols }) =>
      protocols.length === 1 && protocols[0] === "acme-tls/1" ? "acme-tls/1" : undefined,
    SNICallback: (name, give) => {
      looks.tls++;
      const found = certificates.get(name);
      if (found === undefined) give(new Error("unknown name"));
      else give(null, createSecureContext(found));
    },
  });
  tls.on("secureConnection", (socket) => {
    // The CA disconnects once it has seen the certificate.
    socket.on("error", () => undefined);
    socket.end();
  });
  tls.on("tlsClientError", () => undefined);
  const [httpPort, tlsPort] = await Promise.all([listening(http), listening(tls)]);
  return {
    httpPort,
    tlsPort,
    files,
    certificates,
    looks,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([http, tls].map((server) => new Promise((done) => server.close(done))));
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}
