import { smtpAddressOf } from "../adapters/mail/address.ts";
import type { ProjectStore } from "../lib/publishing/index.ts";
import { once } from "../lib/base/eventual.ts";
import type { Mailbox, Mailer } from "../lib/mail/index.ts";
import { authority } from "../settings/addresses.ts";
import type { Settings } from "../settings/options.ts";

/** The mail server of the settings. */
export interface MailAccess {
  readonly mailer: Mailer;
  /** The sender of all mails. */
  readonly from: Mailbox;
  /** `mail.example.org:587`, for people. */
  readonly server: string;
  /** Whether it is on this machine, so that nothing between needs encryption. */
  readonly isLocal: boolean;
}

/** Returns access to the mail server of the settings, which loads the library with the first mail; undefined without one. */
export function mailAccess({
  smtpUrl: url,
  mailFrom: from,
}: Pick<Settings, "smtpUrl" | "mailFrom">): MailAccess | undefined {
  if (url === undefined || from === undefined) return undefined;
  const address = smtpAddressOf(url);
  const mailer = once(async () => (await import("../adapters/mail/smtp.ts")).smtpMailer({ url }));
  return {
    mailer: {
      send: async (mail, signal) => (await mailer()).send(mail, signal),
      check: async (signal) => (await mailer()).check(signal),
    },
    from,
    server: authority(address),
    isLocal: address.isLoopback,
  };
}

/** Returns the language of the account's oldest site that has one, for mails to members who chose none. */
export async function languageOfAccount(
  { projects }: Pick<ProjectStore, "projects">,
  accountId: string,
): Promise<string> {
  const all = await projects.list({
    accountId,
    limit: 100,
    deletedAfter: Number.MAX_SAFE_INTEGER,
  });
  return all.flatMap(({ site }) => site?.language ?? []).at(-1) ?? "en";
}
