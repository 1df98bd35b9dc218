import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { connect, type TLSSocket } from "node:tls";

export interface Handshake {
  readonly serverName?: string;
  readonly protocols?: readonly string[];
  /** The root, PEM, that the certificate must come from; default: it is not looked at. */
  readonly trusting?: string;
}

/** Returns a connection whose handshake went well; rejects when it does not. */
export function shakeHands(
  port: number,
  { serverName, protocols = ["http/1.1"], trusting }: Handshake,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      ...(serverName === undefined ? {} : { servername: serverName }),
      ALPNProtocols: [...protocols],
      // Most certificates of these tests are not signed by a trusted CA.
      ...(trusting === undefined ? { rejectUnauthorized: false } : { ca: trusting }),
    });
    socket.once("secureConnect", () => resolve(socket));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed before the handshake was done")));
  });
}

/** Returns the common name in the certificate that is presented. */
export async function presentedTo(port: number, handshake: Handshake): Promise<string> {
  const socket = await shakeHands(port, handshake);
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

/** Sends text over a connection and resolves with all that comes until the other side hangs up. */
export function converse(socket: TLSSocket, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    socket.on("data", (chunk) => (received += String(chunk)));
    // Cut off or ended: what came is what came.
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(received));
    socket.write(text);
  });
}

export interface Http2Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export async function http2Session(port: number, serverName: string): Promise<ClientHttp2Session> {
  const socket = await shakeHands(port, { serverName, protocols: ["h2"] });
  const session = connectHttp2(`https://${serverName}:${port}`, { createConnection: () => socket });
  session.on("error", () => undefined);
  return session;
}

export function http2Request(
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array,
): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ...headers }, { endStream: body === undefined });
    let text = "";
    let head: Readonly<Record<string, unknown>> = {};
    stream.on("response", (received) => (head = received));
    stream.on("data", (chunk) => (text += String(chunk)));
    stream.on("end", () => resolve({ status: Number(head[":status"]), headers: head, body: text }));
    stream.on("error", reject);
    stream.on("close", () => reject(new Error("the stream was closed")));
    if (body !== undefined) stream.end(body);
  });
}
