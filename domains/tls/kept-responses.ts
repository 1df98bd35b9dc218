import { lengthOf } from "../../adapters/http1/outgoing.ts";
import { bytesOf, currentWhile } from "../../lib/base/blob-response.ts";
import { sizedCache } from "../../lib/base/cache.ts";
import type { Eventual } from "../../lib/base/eventual.ts";

/** Responses that may be sent again, and the bytes of small files. */
export interface KeptResponses {
  /** Reads the requests of a connection under that name. */
  reader(serverName: string): KeptReader;
  /** Returns the bytes of a small file, without a promise if they are known. */
  bytesOf(file: Blob): Eventual<Uint8Array>;
}

/** Follows the requests of a connection, each of which is read whole or not at all. */
export interface KeptReader {
  /** Returns the response to a request that is the same as an earlier one. */
  known(input: Buffer): Buffer | undefined;
  /** The service has answered the request that was read last. */
  answered(request: Request, response: Response): void;
  /** Keeps the response to that request if it may be sent again. The last part of `head` ends with the date. */
  keep(head: readonly string[], bytes: Buffer): void;
}

/** A response that may be sent again. */
interface Kept {
  readonly serverName: string;
  /** Whether it would be the same now. */
  readonly isCurrent: () => boolean;
  /** Head and body. */
  readonly bytes: Buffer;
  /** Index of the date, which is replaced when it has changed. */
  readonly dateAt: number;
  date: string;
}

/** A longer request is not remembered. */
const MAX_REQUEST = 4 * 1_024;
const MAX_RESPONSE = 128 * 1_024;
/** Bytes counted per kept response in addition to its content. */
const OVERHEAD = 500;
const DATE_END = "\r\n\r\n";
const DATE_LENGTH = "Thu, 01 Jan 1970 00:00:00 GMT".length;

/** Fields of a request whose responses are never kept: they may depend on who asks, or more follows the head. */
const PRIVATE = ["authorization", "cookie", "range", "content-length", "transfer-encoding"];

export function createKeptResponses({
  maxBytes,
  date,
  draining,
}: {
  readonly maxBytes: number;
  /** Returns the `Date` of a response. */
  readonly date: () => string;
  /** Whether responses must close their connections. */
  readonly draining: () => boolean;
}): KeptResponses {
  /** By the whole text of the request, which is a head and nothing else. */
  const kept = sizedCache<Kept>(
    maxBytes,
    ({ bytes }, text) => bytes.length + text.length + OVERHEAD,
  );
  return {
    bytesOf: recentBytes(maxBytes),
    reader: (serverName) => {
      let text = "";
      let isRepeated = false;
      let isCurrent: (() => boolean) | undefined;
      return {
        known: (input) => {
          isCurrent = undefined;
          const next = input.length <= MAX_REQUEST ? wholeHead(input) : "";
          isRepeated = next !== "" && next === text;
          text = next;
          const known = kept.get(next);
          if (known?.serverName !== serverName || draining() || !known.isCurrent())
            return undefined;
          const now = date();
          if (now !== known.date) {
            known.bytes.write(now, known.dateAt, "latin1");
            known.date = now;
          }
          return known.bytes;
        },
        answered: ({ method, headers }, response) => {
          // Only a request that is repeated may be worth keeping.
          if (!isRepeated) return;
          if (method !== "GET" || PRIVATE.some((name) => headers.has(name))) return;
          const isShared = response.status === 200 && !response.headers.has("set-cookie");
          if (isShared) isCurrent = currentWhile(response);
        },
        keep: (head, bytes) => {
          const [end = ""] = head.slice(-1);
          if (isCurrent === undefined || bytes.length > MAX_RESPONSE || end.includes(CLOSE)) return;
          const dateAt = lengthOf(head) - DATE_END.length - DATE_LENGTH;
          const entry = { serverName, isCurrent, bytes, dateAt };
          kept.set(text, {
            ...entry,
            date: end.slice(-DATE_END.length - DATE_LENGTH, -DATE_END.length),
          });
        },
      };
    },
  };
}

const HEAD_END = "\r\n\r\n";

/** Returns the text of input that is exactly one head; empty for a part of one, or more. */
function wholeHead(input: Buffer): string {
  const text = input.toString("latin1");
  const end = text.indexOf(HEAD_END);
  return end !== -1 && end === text.length - HEAD_END.length ? text : "";
}

const CLOSE = "\r\nconnection: close\r\n";

/** Remembers the bytes of up to `maxBytes` of files. */
function recentBytes(maxBytes: number): KeptResponses["bytesOf"] {
  const known = new Map<Blob, Uint8Array>();
  let size = 0;
  return (file) =>
    known.get(file) ??
    bytesOf(file).then((bytes) => {
      if (!known.has(file)) size += file.size + OVERHEAD;
      known.set(file, bytes);
      for (const [oldest] of known) {
        if (size <= maxBytes) break;
        known.delete(oldest);
        size -= oldest.size + OVERHEAD;
      }
      return bytes;
    });
}
