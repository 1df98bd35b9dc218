import { authorityOf, isHost, pathOf } from "../hosts/node-request.ts";
import { remembered } from "../../lib/base/cache.ts";

/** Where requests arrive. */
export interface Origin {
  readonly scheme: "http" | "https";
  /** The host of requests that name none; empty if it is unknown. */
  readonly host: string;
}

/** A listener without TLS, to which any host may lead. */
export const PLAIN: Origin = { scheme: "http", host: "" };

/** The head of a request (RFC 9112 §3, §5). */
export interface Head {
  /** The method as the client wrote it: methods are case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  /** The address, or only the path if the host is unknown. */
  readonly url: string;
  /** The host that the request is for, as the client wrote it, with its port. */
  readonly host: string;
  readonly headers: Headers;
  /** How many fields there are. */
  readonly fields: number;
  /** Bytes of the body; undefined if it arrives in chunks. */
  readonly length: number | undefined;
  /** Whether the connection ends after the response. */
  readonly closes: boolean;
  /** Whether the client understands chunks, which HTTP/1.0 clients do not. */
  readonly chunks: boolean;
  /** Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  readonly expects: boolean;
}

/** The status of the answer to a head that cannot be read. */
export type HeadFault = 400 | 431 | 505;

const VERSION_1_1 = " HTTP/1.1";
const METHOD = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,64}$/;
const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
/** Spaces, tabs, and all that is printable. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const VERSION = / HTTP\/(\d)\.(\d)$/;
const TARGET = /^[\x21-\x7e\x80-\xff]+$/;
/** Characters that an address keeps as they are. */
const KEPT = /^\/[\w\-.~!$&()*+,;=:@/?%]*$/;
const LENGTH = /^\d{1,15}$/;
/** More fields are refused: joining those of one name takes time. */
const MAX_FIELDS = 200;

/**
 * Reads a head, whose text is Latin-1 and ends with its empty line. Strict where servers on the way could read something
 * else: no bare line ends, no folded lines, no space before a colon, one `Host`, one length.
 */
export function readHead(text: string, origin: Origin = PLAIN): Head | HeadFault {
  const first = text.indexOf("\r\n");
  const line = text.slice(0, first);
  const [, major, minor] = line.endsWith(VERSION_1_1) ? NEWEST : (VERSION.exec(line) ?? []);
  if (major === undefined) return 400;
  if (major !== "1") return 505;
  const space = line.indexOf(" ");
  const method = line.slice(0, space);
  const target = line.slice(space + 1, -VERSION_1_1.length);
  if (!METHOD.test(method) || !TARGET.test(target)) return 400;
  const fields = fieldsOf(text.slice(first + 2, -2));
  if (typeof fields === "number") return fields;
  const { host, length, chunked } = fields;
  const old = minor === "0";
  if (host === undefined && !old) return 400;
  if (chunked && old) return 400;
  // The authority of a whole address replaces the host (RFC 9112 §3.2.2).
  const named = target.startsWith("/") ? undefined : authorityOf(target);
  const asked = named ?? host ?? origin.host;
  const base = originsOf[origin.scheme](asked);
  // Over TLS, a client that names no host has named it in its handshake.
  const mayLackHost = (named ?? host) === undefined && origin.scheme === "http";
  if (base === "" && !mayLackHost) return 400;
  return {
    method,
    url: addressOf(target, base),
    host: asked,
    headers: fields.headers,
    fields: fields.count,
    length: chunked ? undefined : length,
    closes: fields.closes || old,
    chunks: !old,
    expects: fields.expects && !old,
  };
}

const NEWEST = [undefined, "1", "1"] as const;

/** What the fields of a head say. */
interface Fields {
  readonly headers: Headers;
  readonly count: number;
  readonly host: string | undefined;
  readonly length: number;
  readonly chunked: boolean;
  readonly closes: boolean;
  readonly expects: boolean;
}

/** Clients repeat their fields. Requests share the `Headers`, which handlers must not change. */
const fieldsOf = remembered<Fields | HeadFault>(readFields, 1_000, 2_000);

function readFields(block: string): Fields | HeadFault {
  const headers = new Headers();
  let count = 0;
  for (let at = 0; at < block.length;) {
    if (++count > MAX_FIELDS) return 431;
    const end = block.indexOf("\r\n", at);
    const colon = block.indexOf(":", at);
    if (end === -1 || colon === -1 || colon > end) return 400;
    const name = block.slice(at, colon);
    const value = block.slice(colon + 1, end);
    if (!NAME.test(name) || !VALUE.test(value)) return 400;
    headers.append(name, withoutSpace(value));
    at = end + 2;
  }
  const coding = headers.get("transfer-encoding");
  const length = headers.get("content-length");
  // A list of lengths is none, even if all are equal.
  if (length !== null && (coding !== null || !LENGTH.test(length))) return 400;
  if (coding !== null && coding.toLowerCase() !== "chunked") return 400;
  const host = headers.get("host");
  // Several are joined by commas, which no host contains (RFC 9112 §3.2).
  if (host !== null && !isHost(host)) return 400;
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  // It concerns the connection only, and handlers would wait for the body before they answer.
  headers.delete("connection");
  return {
    headers,
    count,
    host: host ?? undefined,
    length: Number(length ?? 0),
    chunked: coding !== null,
    closes: connection.split(",").some((option) => withoutSpace(option) === "close"),
    expects: headers.get("expect")?.toLowerCase() === "100-continue",
  };
}

/** Removes spaces and tabs at both ends. `trim` removes U+00A0 too, which other servers read as part of a value. */
function withoutSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns the address of a request target, in the form of a URL; only its path if the origin is empty. */
function addressOf(target: string, origin: string): string {
  if (KEPT.test(target) && !target.includes("/.") && !target.includes("/%2"))
    return origin + target;
  // Bytes above 0x7f are UTF-8: command-line clients send what was typed.
  const path = pathOf(Buffer.from(target, "latin1").toString());
  return origin === "" ? path : new URL(origin + path).href;
}

/** Return the origin of a host, normalized; empty if it is not a host. */
const originsOf = { http: originsOver("http"), https: originsOver("https") } as const;

function originsOver(scheme: Origin["scheme"]): (host: string) => string {
  return remembered((host) => (isHost(host) ? new URL(`${scheme}://${host}`).origin : ""));
}
