import type { Eventual } from "../../lib/base/eventual.ts";
import type { Holding } from "../holdings/holdings.ts";
import type { Arrived } from "./arrived-request.ts";
import type { Head, Origin } from "./head.ts";
import type { IncomingBody } from "./incoming-body.ts";

/** What the connections of a listener share. */
export interface Shared {
  readonly onError: (error: unknown) => void;
  readonly limits: Http1Limits;
  readonly now: () => number;
  /** The value of `Date`. */
  readonly date: () => string;
  /** Whether connections close after their responses. */
  readonly stopping: () => boolean;
}

/** The client of a connection, and what its listener does for it. */
export interface Peer {
  readonly origin: Origin;
  /** Sends bytes, or text as Latin-1. Returns false if the client does not keep up: `drained` follows. */
  send(data: string | Uint8Array): boolean;
  /** Sends a head and its whole body, which is UTF-8 if it is text. `isLast`: no other request has arrived. */
  sendWhole(head: readonly string[], body: string | Uint8Array, isLast: boolean): void;
  /** Whether something is not sent yet: `drained` follows. */
  readonly waits: boolean;
  /** Bytes in memory that the client has not taken. */
  readonly unsent: number;
  pause(): void;
  resume(): void;
  /** Ends our side. `fully`: the client has ended its own. */
  end(fully: boolean): void;
  destroy(): void;
  requestOf(head: Head, body: IncomingBody | undefined): Arrived;
  answer(request: Request, head: Head): Eventual<Response>;
  /** Sends the response to a whole request, if it is the same as before. Returns false if it is not known. */
  repeat?(input: Buffer): boolean;
  bytesOf(file: Blob): Eventual<Uint8Array>;
  /** Whether bodies are sent in small parts, and what was read of them is counted. Default: as the handler gives them. */
  readonly inParts?: boolean;
  /** Starts to count what the connection holds for its client. */
  hold(cut: () => void): Holding;
  /** A request has arrived. */
  began(): void;
  /** Its response is complete, and the rest of its body has arrived or is given up. */
  ended(): void;
}

export interface Http1Limits {
  readonly maxHeadBytes: number;
  /** The longest time from the first byte of a head to its last. */
  readonly headMs: number;
  /** How much of the rest of a body is read after its response, and for how long. */
  readonly maxDroppedBytes: number;
  readonly dropMs: number;
  /** For how long it is read while the server stops. */
  readonly stopDropMs: number;
  /** How long a client may take to close a connection that we have ended. */
  readonly lingerMs: number;
}
