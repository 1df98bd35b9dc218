import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { SMTPServer } from "smtp-server";

import { presentedFor } from "./presented.ts";

/** A mail that the server has taken, or would have. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The user who signed in; undefined for none. */
  readonly user: string | undefined;
  readonly encrypted: boolean;
  /** Headers and body as they arrived, with `\n` at line ends. */
  readonly raw: string;
  readonly headers: string;
  /** The decoded parts, such as `text/plain`. */
  readonly parts: ReadonlyMap<string, string>;
}

/** A reply with a code, or a fault of the connection, at one moment of a session. */
export type MailFaultAt = {
  readonly at: "connect" | "sign-in" | "sender" | "recipient" | "data";
  /** `silent` never answers; `cut` closes the connection. `lost` takes the mail and closes it instead of answering. */
  readonly reply: number | "silent" | "cut" | "lost";
};

export interface MailServerOptions {
  /** `starttls` offers it, `implicit` begins with it, `none` knows none. Default `none`. */
  readonly tls?: "none" | "starttls" | "implicit";
  /** Whether a sign-in is required: of `ada@example.org` with `secret`. Default false. */
  readonly signIn?: boolean;
  readonly port?: number;
}

/** A real SMTP server on the loopback. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** The self-signed certificate, for `localhost`. */
  readonly certificate: string;
  readonly received: readonly ReceivedMail[];
  /** The connections so far. */
  readonly connections: () => number;
  /** Decides on the fault of each moment; undefined for none. */
  fault: (moment: MailFaultAt["at"]) => MailFaultAt["reply"] | undefined;
  /** Resolves with the mails once there are so many. */
  arrived(count: number): Promise<readonly ReceivedMail[]>;
}

/** Starts a server at a free port. */
export async function startMailServer({
  tls = "none",
  signIn = false,
  port = 0,
}: MailServerOptions = {}): Promise<MailServer> {
  const { chainPem, privateKeyPem } = await presentedFor("mail", "localhost");
  const received: ReceivedMail[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const sockets = new Set<{ destroy: () => void }>();
  let connections = 0;
  /** Calls back with the reply of the moment, and never if that is silence. */
  const answer = (at: MailFaultAt["at"], done: (error?: Error | null) => void): void => {
    const reply = made.fault(at);
    if (reply === undefined) done(null);
    else if (typeof reply === "number") {
      done(Object.assign(new Error(`Not at ${at} of ada@example.org`), { responseCode: reply }));
    } else if (reply !== "silent") for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    secure: tls === "implicit",
    key: privateKeyPem,
    cert: chainPem,
    authOptional: !signIn,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    disabledCommands: [...(tls === "none" ? ["STARTTLS"] : []), ...(signIn ? [] : ["AUTH"])],
    logger: false,
    closeTimeout: 1,
    onConnect: (_session, done) => {
      connections++;
      answer("connect", done);
    },
    onAuth: ({ username = "", password }, _session, done) => {
      answer("sign-in", (error) => {
        if (error) return done(error);
        return username === "ada@example.org" && password === "secret"
          ? done(null, { user: username })
          : done(Object.assign(new Error("Wrong"), { responseCode: 535 }));
      });
    },
    onMailFrom: (_address, _session, done) => answer("sender", done),
    onRcptTo: (_address, _session, done) => answer("recipient", done),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString("utf8").replaceAll("\r\n", "\n");
        const fault = made.fault("data");
        if (fault === undefined || fault === "lost") {
          received.push({
            from: mailFrom === false ? "" : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: typeof session.user === "string" ? session.user : undefined,
            encrypted: session.secure,
            raw,
            headers: raw.slice(0, raw.indexOf("\n\n")).replaceAll(/\n[ \t]+/g, " "),
            parts: partsOf(raw),
          });
          for (const { count, resolve } of waiting) if (received.length >= count) resolve();
        }
        answer("data", done);
      });
    },
  });
  // Clients cut their connections in these tests.
  server.on("error", () => undefined);
  server.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const made: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    certificate: chainPem,
    received,
    connections: () => connections,
    fault: () => undefined,
    arrived: async (count) => {
      if (received.length < count) {
        await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      }
      return received;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return made;
}

/** Decodes the parts of a mail that the library wrote: quoted-printable, base64 or plain. */
function partsOf(raw: string): ReadonlyMap<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1];
  const sections = boundary === undefined ? [raw] : raw.split(`--${boundary}`).slice(1, -1);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n\n");
      const [head, body] = [section.slice(0, end), section.slice(end + 2)];
      const type = /^content-type: ([\w/]+)/im.exec(head)?.[1] ?? "";
      const encoding = /^content-transfer-encoding: (\S+)/im.exec(head)?.[1] ?? "7bit";
      return [type, decoded(body, encoding)] as const;
    }),
  );
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll("=\n", "")
    .replaceAll(/=([\dA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
