import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names and values, as received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** Sends these lines unchanged to `origin`, which `fetch` would not do. */
export async function sendRaw(
  origin: string,
  lines: readonly string[],
  body = "",
): Promise<RawAnswer> {
  const text = await converse(origin, [...lines, "Connection: close", "", body].join("\r\n"));
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...fields] = head.split("\r\n");
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: fields.map((field) => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
    text: rest.join("\r\n\r\n"),
  };
}

/** Returns everything that the server sends in response to `text` until it closes the connection. */
export function converse(
  origin: string,
  text: string,
  options: { readonly from?: string } = {},
): Promise<string> {
  return inParts(origin, [text], options);
}

/**
 * Sends parts, each in a turn of its own or after the server has answered the one before, and returns everything that the
 * server sends until it closes the connection.
 */
export function inParts(
  origin: string,
  parts: readonly string[],
  { from, afterAnswer = false }: { readonly from?: string; readonly afterAnswer?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const rest = [...parts];
    const socket = open(origin, from);
    const next = (): void => {
      const part = rest.shift();
      if (part === undefined) return;
      socket.write(part, "latin1", () => {
        if (!afterAnswer) setImmediate(next);
      });
    };
    socket.once("connect", next);
    socket.on("data", (received) => {
      said += String(received);
      if (afterAnswer) next();
    });
    // A server that has answered may close before it has received everything.
    socket.on("error", (error) => {
      if (said === "") reject(error);
    });
    socket.on("close", () => resolve(said));
  });
}

/** Connects to an origin, if given from another loopback address. */
export function open(origin: string, from?: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ...(from === undefined ? {} : { localAddress: from }),
  });
  socket.setNoDelay();
  socket.setEncoding("latin1");
  return socket;
}
