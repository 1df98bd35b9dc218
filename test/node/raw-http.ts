import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names and values, as they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

/** Sends `lines` as they are to `origin` and reads until the server closes: what `fetch` would not send. */
export function sendRaw(origin: string, lines: readonly string[], body = ""): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
    });
    socket.setEncoding("latin1");
    socket.on("data", (part) => {
      text += String(part);
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const [statusLine = "", ...fields] = head.split("\r\n");
      resolve({
        status: Number(statusLine.split(" ")[1]),
        headers: fields.map((field) => {
          const colon = field.indexOf(":");
          return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
        }),
        text: rest.join("\r\n\r\n"),
      });
    });
  });
}
