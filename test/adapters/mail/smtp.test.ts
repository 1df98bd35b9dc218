import { describe, expect, test } from "bun:test";

import { createServer, type AddressInfo, type Socket } from "node:net";

import { smtpMailer, type SmtpOptions } from "../../../adapters/mail/smtp.ts";
import type { Mailer, MailFault, OutgoingMail } from "../../../lib/mail/mailer.ts";
import { startMailServer, type MailFaultAt, type MailServer } from "../../helpers/mail-server.ts";

const MAIL: OutgoingMail = {
  messageId: "mail_8fJ2kQ0aZx1B@example.org",
  from: { address: "pets@example.org", name: "Tierheim Sönnenhof" },
  to: { address: "ada@example.org" },
  subject: "Willkommen",
  text: "Hallo Ada,\n\nwillkommen.",
  html: "<p>Hallo Ada,</p><p>willkommen.</p>",
  language: "de",
  at: Date.parse("2026-11-20T09:30:00Z"),
};

/** Short, so that silence is noticed soon; nothing else takes so long. */
const SHORT = { connectMs: 2_000, answerMs: 300 };

function mailer(
  { port, certificate }: Pick<MailServer, "port"> & Partial<MailServer>,
  {
    scheme = "smtp",
    account = "",
    query = "",
    ...more
  }: Partial<SmtpOptions> & { scheme?: string; account?: string; query?: string } = {},
): Mailer {
  const url = `${scheme}://${account}localhost:${port}${query}`;
  return smtpMailer({ url, ca: certificate, ...more });
}

const ADA = "ada@example.org:secret@";

describe("a mail", () => {
  test("arrives with its headers and both texts", async () => {
    await using server = await startMailServer();
    const sent = { ...MAIL, replyTo: { address: "zoe@example.org", name: "Zoë" } };
    expect(await mailer(server).send(sent)).toEqual({ outcome: "sent" });
    const [mail] = server.received;
    expect(mail).toMatchObject({
      from: "pets@example.org",
      to: ["ada@example.org"],
      encrypted: false,
      user: undefined,
    });
    const { headers = "", parts } = mail ?? {};
    expect(headers.split("\n")).toEqual(
      expect.arrayContaining([
        "Auto-Submitted: auto-generated",
        "Content-Language: de",
        "From: =?UTF-8?Q?Tierheim_S=C3=B6nnenhof?= <pets@example.org>",
        "To: ada@example.org",
        "Reply-To: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.org>",
        "Subject: Willkommen",
        "Message-ID: <mail_8fJ2kQ0aZx1B@example.org>",
        "Date: Fri, 20 Nov 2026 09:30:00 +0000",
      ]),
    );
    // Nothing names the program or its version.
    expect(headers).not.toMatch(/x-mailer|user-agent|nodemailer/i);
    expect(parts?.get("text/plain")?.trim()).toBe(MAIL.text);
    expect(parts?.get("text/html")?.trim()).toBe(MAIL.html);
  });

  test("offers to end such mails with one click, over HTTPS only", async () => {
    await using server = await startMailServer();
    const path = `pets.example.org/mails/8fJ2kQ0aZx1B-certificates_overdue-${"a".repeat(22)}`;
    for (const unsubscribe of [`https://${path}`, `http://${path}`]) {
      expect(await mailer(server).send({ ...MAIL, unsubscribe })).toEqual({ outcome: "sent" });
    }
    const offers = server.received.map(({ headers }) =>
      headers.split("\n").filter((line) => line.startsWith("List-")),
    );
    expect(offers).toEqual([
      [`List-Unsubscribe: <https://${path}>`, "List-Unsubscribe-Post: List-Unsubscribe=One-Click"],
      [`List-Unsubscribe: <http://${path}>`],
    ]);
  });

  test("goes to domains in any script, and to mailboxes in any script if the server knows them", async () => {
    await using server = await startMailServer();
    const to = (address: string) => mailer(server).send({ ...MAIL, to: { address } });
    expect(await to("ada@tierheim-köln.de")).toEqual({ outcome: "sent" });
    expect(await to("ädä@例え.jp")).toEqual({ outcome: "sent" });
    expect(server.received.map((mail) => mail.to)).toEqual([
      ["ada@tierheim-köln.de"],
      ["ädä@例え.jp"],
    ]);
    expect(server.received[0]?.headers).toContain(
      `To: ada@${new URL("http://tierheim-köln.de").hostname}`,
    );
  });

  const hostile = [
    "\r\nBcc: eve@example.org",
    "\nBcc: eve@example.org\n\nHello",
    "\r\n.\r\nMAIL FROM:<eve@example.org>\r\nRCPT TO:<eve@example.org>\r\n",
    "\u0000\u0085\u2028Bcc: eve@example.org",
    "\ud800 =?utf-8?q?=0d=0aBcc:_eve=40example.org?=",
    `${"ä".repeat(5_000)}\r\nBcc: eve@example.org`,
    '", <eve@example.org>, "',
  ];

  test.each(hostile)("gains no header and no recipient from a text (%#)", async (text) => {
    await using server = await startMailServer();
    const sent = {
      ...MAIL,
      from: { address: "pets@example.org", name: text },
      to: { address: "ada@example.org", name: text },
      replyTo: { address: "zoe@example.org", name: text },
      subject: text,
      language: text,
      text,
      html: text,
    };
    expect(await mailer(server).send(sent)).toEqual({ outcome: "sent" });
    const [mail, ...others] = server.received;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: "pets@example.org", to: ["ada@example.org"] });
    const names = mail?.headers.split("\n").map((line) => line.slice(0, line.indexOf(":")));
    expect(names?.toSorted()).toEqual([
      "Auto-Submitted",
      "Content-Language",
      "Content-Type",
      "Date",
      "From",
      "MIME-Version",
      "Message-ID",
      "Reply-To",
      "Subject",
      "To",
    ]);
  });

  const addresses = [
    "ada@example.org\r\nRCPT TO:<eve@example.org>",
    "ada@example.org>\r\nDATA",
    "ada@example.org, eve@example.org",
    "<ada@example.org>",
    " ada@example.org",
    "ada@example.org\u0000",
    "",
  ];

  test.each(addresses)("is refused for the address %j", async (address) => {
    await using server = await startMailServer();
    for (const part of ["to", "from", "replyTo"] as const) {
      expect(await mailer(server).send({ ...MAIL, [part]: { address } })).toMatchObject({
        outcome: "refused",
        fault: "recipient",
      });
    }
    expect(server.connections()).toBe(0);
  });
});

describe("encryption", () => {
  test("is used where the server offers it, and no trust is needed unless it is required", async () => {
    await using server = await startMailServer({ tls: "starttls" });
    expect(await mailer({ port: server.port }).send(MAIL)).toEqual({ outcome: "sent" });
    expect(server.received[0]?.encrypted).toBe(true);
    const strict = mailer({ port: server.port }, { query: "?tls=required" });
    expect(await strict.send(MAIL)).toMatchObject({ outcome: "later", server: true, fault: "tls" });
    expect(await strict.check()).toMatchObject({ reached: false, fault: "tls" });
    expect(await mailer(server, { query: "?tls=required" }).send(MAIL)).toEqual({
      outcome: "sent",
    });
    expect(server.received).toHaveLength(2);
  });

  test("that is required and not offered keeps a mail from being sent", async () => {
    await using server = await startMailServer();
    const strict = mailer(server, { query: "?tls=required" });
    expect(await strict.send(MAIL)).toMatchObject({ outcome: "later", fault: "tls" });
    expect(await strict.check()).toMatchObject({ reached: false, fault: "tls" });
    expect(server.received).toEqual([]);
  });

  test("begins at once at smtps://, whose certificate must be trusted", async () => {
    await using server = await startMailServer({ tls: "implicit" });
    const scheme = "smtps";
    expect(await mailer(server, { scheme }).send(MAIL)).toEqual({ outcome: "sent" });
    expect(await mailer(server, { scheme }).check()).toEqual({
      reached: true,
      encrypted: true,
      signedIn: false,
    });
    const stranger = mailer({ port: server.port }, { scheme });
    expect(await stranger.send(MAIL)).toMatchObject({ outcome: "later", fault: "tls" });
    expect(server.received).toHaveLength(1);
  });

  test("is refused by a server that begins without it", async () => {
    await using server = await startMailServer();
    const failed = { outcome: "later", server: true, fault: "tls" };
    expect(await mailer(server, { scheme: "smtps" }).send(MAIL)).toMatchObject(failed);
  });
});

describe("a sign-in", () => {
  test("works over an encrypted connection", async () => {
    await using server = await startMailServer({ tls: "starttls", signIn: true });
    const known = mailer(server, { account: ADA, query: "?tls=required" });
    expect(await known.check()).toEqual({ reached: true, encrypted: true, signedIn: true });
    expect(await known.send(MAIL)).toEqual({ outcome: "sent" });
    expect(server.received[0]).toMatchObject({ user: "ada@example.org", encrypted: true });
  });

  test("with a wrong password, or none, fails until the operator corrects it", async () => {
    await using server = await startMailServer({ signIn: true });
    const failed = { outcome: "later", server: true, fault: "credentials" };
    const wrong = mailer(server, { account: "ada:wrong@" });
    expect(await wrong.send(MAIL)).toMatchObject({ ...failed, code: 535 });
    expect(await wrong.check()).toMatchObject({ reached: false, fault: "credentials", code: 535 });
    expect(await mailer(server).send(MAIL)).toMatchObject({ ...failed, code: 530 });
  });

  test("that the server does not offer keeps a mail from being sent", async () => {
    await using server = await startMailServer();
    const known = mailer(server, { account: ADA });
    expect(await known.send(MAIL)).toMatchObject({ outcome: "later", fault: "credentials" });
    expect(await known.check()).toMatchObject({ reached: false, fault: "credentials" });
    expect(server.received).toEqual([]);
  });
});

type Case = readonly [
  MailFaultAt["at"],
  MailFaultAt["reply"],
  { readonly outcome: string; readonly fault: MailFault; readonly server?: boolean },
];

const later = (fault: MailFault) => ({ outcome: "later", server: true, fault });
const laterAlone = (fault: MailFault) => ({ outcome: "later", server: false, fault });
const refused = (fault: MailFault) => ({ outcome: "refused", fault });

const cases: readonly Case[] = [
  ["connect", 421, later("busy")],
  ["connect", 554, later("protocol")],
  ["connect", "silent", later("timeout")],
  ["connect", "cut", later("cut")],
  ["sign-in", 454, later("busy")],
  ["sign-in", 535, later("credentials")],
  ["sign-in", "silent", later("timeout")],
  ["sign-in", "cut", later("cut")],
  ["sender", 451, later("busy")],
  ["sender", 550, later("sender")],
  ["sender", 552, refused("content")],
  ["sender", "silent", later("timeout")],
  ["sender", "cut", later("cut")],
  ["recipient", 450, laterAlone("recipient")],
  ["recipient", 421, later("busy")],
  ["recipient", 550, refused("recipient")],
  ["recipient", 503, laterAlone("recipient")],
  ["recipient", "silent", later("timeout")],
  ["recipient", "cut", later("cut")],
  ["data", 451, laterAlone("content")],
  ["data", 554, refused("content")],
  ["data", "silent", later("timeout")],
  ["data", "cut", later("cut")],
];

test.each(cases)("a server that answers at %s with %p", async (at, reply, expected) => {
  await using server = await startMailServer({ signIn: true });
  server.fault = (moment) => (moment === at ? reply : undefined);
  const deadlines = { connectMs: reply === "silent" ? 300 : 2_000, answerMs: 300 };
  const delivery = await mailer(server, { account: ADA, deadlines }).send(MAIL);
  expect(delivery).toMatchObject(
    typeof reply === "number" ? { ...expected, code: reply } : expected,
  );
  expect(server.received).toEqual([]);
});

describe("a server that is none", () => {
  const listening = async (answer: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      answer(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { port, [Symbol.dispose]: () => server.close() };
  };
  const mute = (port: number, total?: number) =>
    mailer({ port }, { deadlines: { ...SHORT, connectMs: 300, totalMs: total ?? 5_000 } });

  const answers: readonly (readonly [string, (socket: Socket) => void, MailFault])[] = [
    ["never speaks", () => undefined, "timeout"],
    ["closes at once", (socket) => socket.destroy(), "cut"],
    ["speaks HTTP", (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"), "protocol"],
    [
      "speaks without end",
      (socket) => socket.write(`220-${"x".repeat(200)}\r\n`.repeat(1_000)),
      "protocol",
    ],
    [
      "closes after its greeting",
      (socket) => {
        socket.write("220 hello\r\n");
        socket.once("data", () => socket.destroy());
      },
      "cut",
    ],
  ];

  test.each(answers)("%s", async (_, answer, fault) => {
    using server = await listening(answer);
    expect(await mute(server.port).send(MAIL)).toMatchObject({
      outcome: "later",
      server: true,
      fault,
    });
    expect(await mute(server.port).check()).toMatchObject({ reached: false, fault });
  });

  test("is given up after the whole time, and at once when the caller aborts", async () => {
    using server = await listening((socket) => socket.write("220-a\r\n"));
    const patient = { connectMs: 60_000, answerMs: 60_000 };
    const limited = mailer(server, { deadlines: { ...patient, totalMs: 100 } });
    expect(await limited.send(MAIL)).toMatchObject({ outcome: "later", fault: "timeout" });
    expect(await limited.check()).toMatchObject({ reached: false, fault: "timeout" });
    const unlimited = mailer(server, { deadlines: patient });
    const aborted = AbortSignal.abort();
    expect(await unlimited.send(MAIL, aborted)).toMatchObject({ outcome: "later", fault: "cut" });
    expect(await unlimited.check(aborted)).toMatchObject({ reached: false, fault: "timeout" });
  });

  test("is not there, or has no address", async () => {
    const { port } = await listening(() => undefined).then((server) => {
      server[Symbol.dispose]();
      return server;
    });
    const failed = { outcome: "later", server: true, fault: "unreachable" };
    expect(await mute(port).send(MAIL)).toMatchObject(failed);
    expect(await mute(port).check()).toMatchObject({ reached: false, fault: "unreachable" });
    const nowhere = smtpMailer({ url: "smtp://mail.invalid", deadlines: SHORT });
    expect(await nowhere.send(MAIL)).toMatchObject(failed);
  });
});

test("what a server says is one line of at most 300 characters", async () => {
  await using server = await startMailServer();
  server.fault = (moment) => (moment === "recipient" ? 550 : undefined);
  const delivery = await mailer(server).send(MAIL);
  expect(delivery).toMatchObject({ said: "550 Not at recipient of ada@example.org", code: 550 });
});
