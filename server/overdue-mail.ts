import type { OverdueNotice } from "../domains/index.ts";
import type { InstallationMail } from "../lib/mail/index.ts";
import type { MailReader, Notices } from "../lib/members/index.ts";

/** What mails about overdue certificates need. */
export interface OverdueMailOptions {
  readonly mail: Pick<InstallationMail, "enabled" | "enqueue">;
  readonly readers: Notices["readers"];
  /** Whether an operator exists, who may have turned the mails off. */
  readonly hasOperator: () => Promise<boolean>;
  /** The operator's address at the certificate authority: it gets the mails if no operator signs in. */
  readonly acmeEmail: string | undefined;
  /** Returns the address of a page of the dashboard. */
  readonly pageAt: (path: string) => string;
}

/**
 * Returns a function that mails a notice about overdue certificates: to the operators, or to the members of the account who
 * can change its domains. Nothing without a mail server. Rejects if a mail could not be queued, and may be called again.
 */
export function overdueMails({
  mail,
  readers,
  hasOperator,
  acmeEmail,
  pageAt,
}: OverdueMailOptions): (notice: OverdueNotice) => Promise<void> {
  const readersOf = async (accountId: string | undefined): Promise<readonly MailReader[]> => {
    if (accountId !== undefined || acmeEmail === undefined || (await hasOperator())) {
      return readers("certificates_overdue", accountId);
    }
    return [{ to: acmeEmail, language: "en" }];
  };
  return async ({ accountId, ...notice }) => {
    if (!mail.enabled) return;
    const url = pageAt(accountId === undefined ? "system" : `accounts/${accountId}`);
    const { stage, firstExpiresAt } = notice;
    for (const reader of await readersOf(accountId)) {
      const queued = await mail.enqueue({
        kind: "certificates_overdue",
        ...reader,
        data: { operator: accountId === undefined, ...notice, url },
        accountId,
        key: `overdue ${accountId ?? "operator"} ${stage} ${firstExpiresAt}`,
      });
      if (!queued.ok && queued.failure === "full") throw new Error("Too many mails wait.");
    }
  };
}
