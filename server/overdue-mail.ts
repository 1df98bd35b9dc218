import type { OverdueNotice } from "../domains/index.ts";
import type { InstallationMail } from "../lib/mail/index.ts";
import type { MemberStore } from "../lib/members/index.ts";
import type { ProjectStore } from "../lib/publishing/index.ts";

/** What mails about overdue certificates need. */
export interface OverdueMailOptions {
  readonly mail: Pick<InstallationMail, "enabled" | "enqueue">;
  readonly memberStore: Pick<MemberStore, "list">;
  readonly projectStore: Pick<ProjectStore, "projects">;
  /** The operator's address at the certificate authority: it gets the mails if no operator signs in. */
  readonly acmeEmail: string | undefined;
  /** Returns the address of a page of the dashboard. */
  readonly pageAt: (path: string) => string;
}

/**
 * Returns a function that mails a notice about overdue certificates: to the operators, or to the members of the account who
 * can change its domains. Nothing without a mail server. Rejects if a mail could not be queued, and may be called again.
 */
export function overdueMails(
  options: OverdueMailOptions,
): (notice: OverdueNotice) => Promise<void> {
  const { mail, memberStore, acmeEmail, pageAt } = options;
  return async ({ accountId, ...notice }) => {
    if (!mail.enabled) return;
    const members = await memberStore.list(accountId);
    const readers = members
      .filter(({ role }) => role !== "viewer")
      .map(({ email, language }) => ({ email, language }));
    const fallback =
      accountId === undefined && acmeEmail !== undefined
        ? [{ email: acmeEmail, language: undefined }]
        : [];
    const usual = accountId === undefined ? "en" : await languageOf(options, accountId);
    const url = pageAt(accountId === undefined ? "system" : `accounts/${accountId}`);
    const { stage, firstExpiresAt } = notice;
    for (const { email: to, language = usual } of readers.length === 0 ? fallback : readers) {
      const queued = await mail.enqueue({
        kind: "certificates_overdue",
        to,
        language,
        data: { operator: accountId === undefined, ...notice, url },
        accountId,
        key: `overdue ${accountId ?? "operator"} ${stage} ${firstExpiresAt}`,
      });
      if (!queued.ok && queued.failure === "full") throw new Error("Too many mails wait.");
    }
  };
}

/** Returns the language of the account's oldest site that has one, for members who chose none. */
async function languageOf(
  { projectStore }: Pick<OverdueMailOptions, "projectStore">,
  accountId: string,
): Promise<string> {
  const projects = await projectStore.projects.list({
    accountId,
    limit: 100,
    deletedAfter: Number.MAX_SAFE_INTEGER,
  });
  const languages = projects.flatMap(({ site }) => site?.language ?? []);
  return languages.at(-1) ?? "en";
}
