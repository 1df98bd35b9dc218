import { isIP } from "node:net";

import { done, refused } from "../lib/base/result.ts";
import { quoted, type Parse } from "./values.ts";

/** An address and a port to listen on. */
export interface Endpoint {
  /** Name or address, IPv6 without brackets; empty for every address of this machine. */
  readonly host: string;
  /** 0 takes any that is free. */
  readonly port: number;
}

const WRITTEN = /^(?:\[([\da-f:.%\w]*)\]|([^:[\]]*)):(\d{1,5})$/i;

/** `127.0.0.1:8080`, `localhost:8080`, `[::1]:8080` or `:8080`. */
export const endpoint: Parse<Endpoint> = (written) => {
  const [, bracketed, plain = "", digits = ""] = WRITTEN.exec(written) ?? [];
  const port = Number(digits);
  const host = bracketed ?? plain;
  const named = bracketed === undefined ? plain === "" || isHost(plain) : isIP(bracketed) === 6;
  if (digits === "" || port > 65_535 || !named) {
    const hint = /^\d+$/.test(written) ? `; did you mean :${written}?` : "";
    return refused(`must be HOST:PORT, [IPV6]:PORT or :PORT, not ${quoted(written)}${hint}`);
  }
  return done({ host, port });
};

/** As it stands in a URL and in messages. */
export function authority({ host, port }: Endpoint): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The port of an origin such as `https://127.0.0.1:443`; addresses leave those out that go without saying. */
export function portOf(origin: string): number {
  const { port, protocol } = new URL(origin);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Where a program on this machine reaches what listens at `listening`. */
export function reachable({ host, port }: Endpoint): Endpoint {
  const everywhere = host === "" || host === "0.0.0.0" || host === "::";
  return { host: everywhere ? "127.0.0.1" : host, port };
}

function isHost(text: string): boolean {
  return isIP(text) === 4 || isDomain(text);
}

/** A host name of letters, digits and hyphens (RFC 1123 §2.1), not one that looks like an address. */
export function isDomain(written: string): boolean {
  const labels = written.split(".");
  return (
    written.length <= 253 &&
    labels.every((label) => /^(?!-)[\da-z_-]{1,63}(?<!-)$/i.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}
