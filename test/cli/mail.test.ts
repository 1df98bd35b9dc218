import { expect, test } from "bun:test";

import { api } from "../helpers/api.ts";
import { freePort } from "../helpers/free-ports.ts";
import { startMailServer, type MailServer } from "../helpers/mail-server.ts";
import { installation } from "./installation.ts";

/** An installation whose programs use a mail server. */
async function withMail(mail: Pick<MailServer, "port">, dataDir?: string) {
  return installation(dataDir, {
    PETSTORE_SMTP_URL: `smtp://ada%40example.org:secret@127.0.0.1:${mail.port}`,
    PETSTORE_MAIL_FROM: "Pets <pets@example.org>",
  });
}

interface Created {
  readonly url: string;
}

test("mails are sent by the server: invitations, password links, and those that commands queued before", async () => {
  await using mail = await startMailServer({ signIn: true });
  const here = await withMail(mail);
  // Without a server, the command queues the mail.
  const early = await here.run("members", "create", "ada@example.org", "--language", "de");
  expect([early.exitCode, early.stderr]).toEqual([
    0,
    expect.stringContaining("ada@example.org also gets this link by mail."),
  ]);
  expect(mail.received).toEqual([]);
  const port = await freePort();
  await using server = await here.serve("--metrics-listen", `127.0.0.1:${port}`);
  const [first] = await mail.arrived(1);
  expect(first).toMatchObject({ to: ["ada@example.org"], from: "pets@example.org" });
  expect(first?.headers).toMatch(/^Subject: Ihre Einladung zu localhost:\d+$/m);
  expect(first?.parts.get("text/plain")).toContain(early.stdout.trim());

  const quiet = await here.run("members", "create", "eve@example.org", "--no-mail");
  expect(quiet.stderr).not.toContain("by mail");
  await here.json<Created>("members", "create", "grace@example.org");
  const [, second] = await mail.arrived(2);
  expect(second?.to).toEqual(["grace@example.org"]);
  expect(second?.headers).toMatch(/^Subject: Your invitation to localhost:\d+$/m);

  const client = api({ base: server.origin });
  expect((await client.get<{ mail: boolean }>("/manage/v1/sign-in")).body.mail).toBe(true);
  for (const email of ["nobody@example.org", "grace@example.org"]) {
    const answer = await client.post("/manage/v1/reset/request", { email, language: "en" });
    expect([answer.status, answer.text]).toEqual([204, ""]);
  }
  const [, , third] = await mail.arrived(3);
  expect(third?.to).toEqual(["grace@example.org"]);
  const link = /https?:\/\/\S+#(\S+)/.exec(third?.parts.get("text/plain") ?? "");
  const checked = await client.post("/manage/v1/reset/check", { token: link?.[1] });
  expect(checked.body).toMatchObject({ email: "grace@example.org" });

  const tested = await here.run("mail", "test", "zoe@example.org");
  expect([tested.exitCode, tested.stderr]).toEqual([
    0,
    "The mail server has taken the mail to zoe@example.org.\n",
  ]);
  mail.fault = (moment) => (moment === "recipient" ? 550 : undefined);
  const refused = await here.run("mail", "test", "zoe@example.org", "--json");
  expect(refused.exitCode).toBe(6);
  expect(JSON.parse(refused.stdout)).toEqual({
    outcome: "refused",
    fault: "recipient",
    code: 550,
    said: "550 Not at recipient of ada@example.org",
  });
  expect(mail.received.map(({ to }) => to[0])).toEqual([
    "ada@example.org",
    "grace@example.org",
    "grace@example.org",
    "zoe@example.org",
  ]);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('petstore_mails_total{kind="invitation",outcome="sent"} 2');
  expect(metrics).toContain('petstore_mails_total{kind="password_reset",outcome="sent"} 1');
  expect(metrics).toMatch(/^petstore_mail_waiting 0$/m);
  expect(metrics).toMatch(/^petstore_mail_oldest_seconds 0$/m);
  expect(server.output()).not.toMatch(/grace|zoe|secret/);
});

test("without a mail server nothing is sent, and links are shown as before", async () => {
  const here = await installation();
  const created = await here.json<{ mailed: boolean; link: Created }>(
    "members",
    "create",
    "ada@example.org",
  );
  expect(created).toMatchObject({ mailed: false, link: { url: expect.stringContaining("#pet_") } });
  const tested = await here.run("mail", "test", "ada@example.org");
  expect([tested.exitCode, tested.stderr]).toEqual([
    3,
    expect.stringContaining("No mail server is configured. Set smtp-url and mail-from."),
  ]);
});
