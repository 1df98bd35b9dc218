import type { CertificateAuthority } from "../../../domains/ports/authority.ts";

/** A call of a CA in another process. */
interface Asked {
  readonly what: keyof Calls;
  readonly given: readonly unknown[];
}

/** Its functions, without their last parameter, the signal. */
type Calls = Omit<
  CertificateAuthority,
  "id" | "kind" | "application" | "caaIdentities" | "profile"
>;

const noAbort = new AbortController().signal;

/** Serves a CA of this process to other local processes. */
export function serveAuthority(authority: CertificateAuthority): AsyncDisposable & {
  readonly url: string;
} {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      // Both ends are this helper.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { what, given } = (await request.json()) as Asked;
      const call: (...given: readonly never[]) => Promise<unknown> = authority[what];
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return Response.json(await call(...([...given.map(unpacked), noAbort] as never[])));
    },
  });
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
}

/** Returns a client of the CA at `url`, with the id `id`. */
export function remoteAuthority(url: string, id: string): CertificateAuthority {
  const ask =
    (what: Asked["what"]) =>
    // The result is the remote CA's own, passed over the wire.
    // oxlint-disable-next-line typescript/no-explicit-any
    async (...given: readonly unknown[]): Promise<any> => {
      const body = JSON.stringify({ what, given: given.slice(0, -1).map(packed) });
      const response = await fetch(url, { method: "POST", body });
      return response.json();
    };
  return {
    id,
    kind: "acme",
    directory: ask("directory"),
    createAccount: ask("createAccount"),
    findAccount: ask("findAccount"),
    accountState: ask("accountState"),
    changeKey: ask("changeKey"),
    newOrder: ask("newOrder"),
    order: ask("order"),
    authorization: ask("authorization"),
    respond: ask("respond"),
    deactivate: ask("deactivate"),
    finalize: ask("finalize"),
    download: ask("download"),
    renewalInfo: ask("renewalInfo"),
    revoke: ask("revoke"),
  };
}

function packed(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value;
}

function unpacked(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("bytes" in value)) return value;
  return new Uint8Array(Buffer.from(String(value.bytes), "base64"));
}
