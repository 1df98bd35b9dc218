import { addressParts } from "../hosts/server-address.ts";

/** What the address of a mail server says. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** Whether the host is this machine. */
  readonly isLoopback: boolean;
  /** TLS from the first byte (RFC 8314), instead of STARTTLS (RFC 3207). */
  readonly implicitTls: boolean;
  /**
   * `required`: nothing is sent without TLS and a trusted certificate. `optional`: STARTTLS if the server offers it, with any
   * certificate, which protects from listeners only.
   */
  readonly tls: "required" | "optional";
  /** Undefined: the server wants no sign-in. */
  readonly account: { readonly username: string; readonly password: string } | undefined;
}

// Users of mail servers are often email addresses: the last @ ends the account.
const ADDRESS = /^(smtps?):\/\/(?:(.*)@)?([^@/?#]+)\/?(?:\?([^@#]*))?$/i;
const HOST = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;

const { wrong, accountOf } = addressParts("mail server");

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

const MODES = ["required", "optional"] as const;

/** Parses the address of a server. Throws a TypeError that does not repeat it, because it contains the password. */
export function smtpAddressOf(url: string): SmtpAddress {
  const [whole, scheme = "", account, server = "", query = ""] = ADDRESS.exec(url) ?? [];
  if (whole === undefined) throw wrong("must look like smtp://user:password@host:587");
  const implicitTls = scheme.toLowerCase() === "smtps";
  const [isHost, address, name = "", written] = HOST.exec(server) ?? [];
  const host = address ?? name;
  const port = written === undefined ? (implicitTls ? 465 : 587) : Number(written);
  if (isHost === undefined || port < 1 || port > 65_535) throw wrong("has an invalid host or port");
  const signsIn = account === undefined ? undefined : accountOf(account);
  if (signsIn !== undefined && (signsIn.username === "" || signsIn.password === "")) {
    throw wrong("must have both a user and a password, or neither");
  }
  if (/[\0\r\n]/.test(`${signsIn?.username}${signsIn?.password}`)) {
    throw wrong("has a control character in its user or password");
  }
  const isLoopback = LOOPBACK.test(host);
  // A listener on the way could hide that the server offers TLS, and read the password.
  const guarded = implicitTls || (signsIn !== undefined && !isLoopback);
  return {
    host,
    port,
    isLoopback,
    implicitTls,
    tls: tlsIn(query) ?? (guarded ? "required" : "optional"),
    account: signsIn,
  };
}

function tlsIn(query: string): SmtpAddress["tls"] | undefined {
  let tls: SmtpAddress["tls"] | undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== "tls") throw wrong(`has an unknown parameter: ${name}`);
    tls = MODES.find((mode) => mode === value);
    if (tls === undefined) throw wrong(`must have one of tls=${MODES.join(", ")}`);
  }
  return tls;
}
