import type { Delivery, MailFailure, MailFault } from "../../lib/mail/mailer.ts";

/** What the library reports about a failed attempt. */
export interface SmtpError {
  readonly message: string;
  /** The library's own code, such as `ETIMEDOUT`. */
  readonly code?: string | undefined;
  /** The command that the server answered, such as `RCPT TO`; `CONN` for the connection itself. */
  readonly command?: string | undefined;
  /** The server's reply code. */
  readonly responseCode?: number | undefined;
  /** The server's whole reply. */
  readonly response?: string | undefined;
}

/** The library's codes of failures without a reply. */
const FAULTS: Readonly<Partial<Record<string, MailFault>>> = {
  ETIMEDOUT: "timeout",
  EDNS: "unreachable",
  ETLS: "tls",
  EAUTH: "credentials",
  ENOAUTH: "credentials",
  EPROTOCOL: "protocol",
};

/** Replies that ask for a sign-in, or refuse one (RFC 4954 §6, RFC 3207 §4). */
const SIGN_IN: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** Returns the outcome of an attempt that failed with an error. */
export function outcomeOf(error: SmtpError): Delivery {
  const failure = failureOf(error);
  const { fault, code = 0 } = failure;
  if (fault === "recipient" || fault === "content") {
    // A reply of 503 is about the session, not about the mail.
    const isFinal = code === 0 || (code >= 500 && code !== 503);
    return isFinal
      ? { outcome: "refused", ...failure }
      : { outcome: "later", server: false, ...failure };
  }
  return { outcome: "later", server: true, ...failure };
}

/** Returns why an attempt failed. */
export function failureOf(error: SmtpError): MailFailure {
  const { responseCode: code, response, message } = error;
  return {
    fault: faultOf(error),
    ...(code === undefined ? {} : { code }),
    said: printable(response ?? message),
  };
}

function faultOf({ code = "", command = "", responseCode, message }: SmtpError): MailFault {
  // The server is about to close the connection, whatever was asked (RFC 5321 §3.8).
  if (responseCode === 421) return "busy";
  if (responseCode !== undefined && SIGN_IN.has(responseCode)) return "credentials";
  if (command.startsWith("AUTH") && responseCode !== undefined && responseCode < 500) return "busy";
  if (code === "EMESSAGE" || command === "DATA") return "content";
  if (code === "EENVELOPE") {
    // 552: the mail is larger than the server allows (RFC 1870 §6.1).
    if (command === "MAIL FROM")
      return responseCode === 552 ? "content" : senderFault(responseCode);
    return "recipient";
  }
  if (code === "ESOCKET" || code === "ECONNECTION") return faultOfConnection(message);
  return FAULTS[code] ?? "cut";
}

function senderFault(code = 0): MailFault {
  return code < 500 ? "busy" : "sender";
}

/** The library keeps only the text of what the system reports about a connection. */
function faultOfConnection(message: string): MailFault {
  if (/ECONNREFUSED|E(?:HOST|NET)UNREACH|EADDRNOTAVAIL|EACCES|EPERM|ENOENT/.test(message)) {
    return "unreachable";
  }
  if (/STARTTLS|certificate|altname|self.signed|SSL routines|\bTLS\b/i.test(message)) return "tls";
  return /timed? ?out/i.test(message) ? "timeout" : "cut";
}

const MAX_SAID = 300;

/** Returns a text of one line, which a terminal and a log can show. */
function printable(text: string): string {
  return text
    .slice(0, MAX_SAID * 2)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_SAID);
}
