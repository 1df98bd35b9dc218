import { lastOf } from "./mount.ts";
import { addressOf } from "./node-request.ts";

/** Returns what the nearest proxy says about a request. */
export function fromProxy(request: Request): {
  readonly origin: string;
  readonly address: string | undefined;
} {
  const forwarded = (name: string): string | undefined => lastOf(request.headers.get(name));
  return {
    origin: originOf(request, {
      scheme: forwarded("x-forwarded-proto"),
      host: forwarded("x-forwarded-host"),
    }),
    address: forwarded("x-forwarded-for"),
  };
}

/** Returns the origin that the client requested. Ignores an invalid scheme or host. */
export function originOf(
  { url, headers }: Request,
  { scheme, host }: { readonly scheme?: string | undefined; readonly host?: string | undefined },
): string {
  // Bun omits scheme and host if the client sent an invalid host.
  const given = URL.canParse(url) ? new URL(url) : undefined;
  const named = host ?? headers.get("host") ?? given?.host ?? "";
  const asked = addressOf(scheme ?? given?.protocol.slice(0, -1) ?? "http", named, "/");
  return asked === undefined ? (given?.origin ?? "") : new URL(asked).origin;
}
