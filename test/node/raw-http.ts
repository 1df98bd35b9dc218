import { connect } from "node:net";

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
export function converse(origin: string, text: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let said = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
    });
    socket.setEncoding("latin1");
    socket.on("data", (part) => {
      said += String(part);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(said));
  });
}
