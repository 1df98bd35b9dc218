import { createTransport } from "nodemailer";
import SMTPConnection from "nodemailer/lib/smtp-connection";

import { dateOf, SECOND_MS } from "../../lib/base/clock.ts";
import type { Mailbox, Mailer, MailServerState, OutgoingMail } from "../../lib/mail/mailer.ts";
import { faultOfEmail, normalEmail } from "../../lib/model/email.ts";
import { smtpAddressOf } from "./address.ts";
import { failureOf, outcomeOf, type SmtpError } from "./outcome.ts";

/** How long a server may take, in milliseconds. */
export interface SmtpDeadlines {
  /** How long the server may take to accept the connection, and then to greet. Default 15 seconds. */
  readonly connectMs?: number;
  /**
   * To answer a command. Default two minutes: servers check a mail before they accept it, and a mail that we give up too soon
   * arrives twice.
   */
  readonly answerMs?: number;
  /** How long a whole attempt may take. Default five minutes. */
  readonly totalMs?: number;
}

/** Options of a mailer over SMTP. */
export interface SmtpOptions {
  /** The server: `smtp://user:password@host:587` or `smtps://…`, with `?tls=required` or `optional`. A secret. */
  readonly url: string;
  /** Root certificates (PEM) to trust. Default: the system's. */
  readonly ca?: string | undefined;
  /** How long a server may take. Default: those of each member. */
  readonly deadlines?: SmtpDeadlines | undefined;
}

/** Returns a mailer that hands each mail to an SMTP server, over a connection of its own. Throws a TypeError for a wrong address. */
export function smtpMailer({ url, ca, deadlines = {} }: SmtpOptions): Mailer {
  const { host, port, implicitTls, tls, account } = smtpAddressOf(url);
  const { connectMs = 15 * SECOND_MS, answerMs = 120 * SECOND_MS } = deadlines;
  const { totalMs = 300 * SECOND_MS } = deadlines;
  const connection = {
    host,
    port,
    secure: implicitTls,
    requireTLS: tls === "required",
    // Without an obligation to encrypt, a certificate that is not trusted is better than none (RFC 7435).
    tls: { rejectUnauthorized: tls === "required", ...(ca === undefined ? {} : { ca }) },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    maxResponseSize: MAX_REPLY_BYTES,
    logger: false,
  } as const;
  const credentials = account && { user: account.username, pass: account.password };
  const transport = createTransport({
    ...connection,
    // Otherwise a server that offers no sign-in would get the mail from an unknown client.
    ...(credentials === undefined ? {} : { auth: credentials, forceAuth: true }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const within = (signal: AbortSignal | undefined): AbortSignal => {
    const limit = AbortSignal.timeout(totalMs);
    return signal === undefined ? limit : AbortSignal.any([limit, signal]);
  };

  return {
    send: async (mail, signal) => {
      const fault = faultOfAddresses(mail);
      if (fault !== undefined) return { outcome: "refused", fault: "recipient", said: fault };
      const limited = within(signal);
      try {
        await transport.sendMail({ ...messageOf(mail), signal: limited });
        return { outcome: "sent" };
      } catch (error) {
        return outcomeOf(isTimeout(limited.reason) ? TOO_LONG : smtpError(error));
      }
    },
    check: (signal) => {
      const checked = new SMTPConnection(connection);
      return checkConnection(checked, credentials, within(signal));
    },
  };
}

const TOO_LONG: SmtpError = { message: "The attempt took too long.", code: "ETIMEDOUT" };

/** Returns whether a signal was aborted because its time is over. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

/** A reply has lines of at most 512 bytes (RFC 5321 §4.5.3.1.5), and rarely more than a few. */
const MAX_REPLY_BYTES = 65_536;

function messageOf(mail: OutgoingMail) {
  const { messageId, from, to, replyTo, subject, text, html, language, at, unsubscribe } = mail;
  return {
    messageId: `<${messageId}>`,
    from: headerOf(from),
    to: headerOf(to),
    ...(replyTo === undefined ? {} : { replyTo: headerOf(replyTo) }),
    // The envelope is not read from the headers.
    envelope: { from: from.address, to: [to.address] },
    subject: oneLine(subject),
    text,
    html,
    date: dateOf(at),
    // Tells other programs not to answer (RFC 3834 §5).
    headers: {
      "Auto-Submitted": "auto-generated",
      "Content-Language": oneLine(language),
      ...unsubscribeHeaders(unsubscribe),
    },
  };
}

/** Returns the headers that offer to end such mails (RFC 2369 §3.2). Mail programs do so with one click over HTTPS only (RFC 8058 §3.1). */
function unsubscribeHeaders(url: string | undefined): Readonly<Record<string, string>> {
  if (url === undefined) return {};
  const oneClick = url.startsWith("https:")
    ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
    : {};
  return { "List-Unsubscribe": `<${new URL(url).href}>`, ...oneClick };
}

function headerOf({ address, name = "" }: Mailbox): { name: string; address: string } {
  return { name: oneLine(name), address };
}

/** Returns a text that cannot end its header. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

function faultOfAddresses({ from, to, replyTo = from }: OutgoingMail): string | undefined {
  // The rule normalizes before it looks; what is sent is the address itself.
  const isAddress = ({ address }: Mailbox): boolean =>
    normalEmail(address) === address.toLowerCase() && faultOfEmail(address) === undefined;
  return [from, to, replyTo].every(isAddress)
    ? undefined
    : "The mail has an address that cannot be one.";
}

/** The library rejects with errors that have more members. */
function smtpError(error: unknown): SmtpError {
  return error instanceof Error ? error : { message: String(error) };
}

function checkConnection(
  connection: SMTPConnection,
  credentials: { readonly user: string; readonly pass: string } | undefined,
  signal: AbortSignal,
): Promise<MailServerState> {
  return new Promise((resolve) => {
    const end = (state: MailServerState): void => {
      signal.removeEventListener("abort", abort);
      resolve(state);
    };
    const fail = (error: SmtpError): void => {
      connection.close();
      end({ reached: false, ...failureOf(error) });
    };
    const abort = (): void => fail(TOO_LONG);
    const succeed = (signedIn: boolean): void => {
      const encrypted = connection.secure;
      connection.quit();
      end({ reached: true, encrypted, signedIn });
    };
    connection.on("error", fail);
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    connection.connect((refused) => {
      if (refused) fail(refused);
      else if (credentials === undefined) succeed(false);
      else {
        connection.login({ credentials }, (denied) => {
          if (denied) fail(denied);
          else succeed(true);
        });
      }
    });
  });
}
