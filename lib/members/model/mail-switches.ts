import type { Role } from "../../accounts/principal.ts";
import type { MailKind } from "../../mail/kinds.ts";

/**
 * The kinds of mails that their readers can turn off, with the roles that get them. Links that set passwords are not among
 * them: nobody gets one unasked.
 */
export const switchedMails = {
  domain_attention: ["owner", "staff"],
  certificates_overdue: ["operator", "owner", "staff"],
  backup_failed: ["operator"],
  quota_reached: ["owner"],
  webhook_disabled: ["operator", "owner"],
  new_device: ["operator", "owner", "staff", "viewer"],
} as const satisfies Partial<Readonly<Record<MailKind, readonly Role[]>>>;

/** A kind of mails that its readers can turn off. */
export type SwitchedMail = keyof typeof switchedMails;

/** The kinds in the order in which they are shown. */
// The keys of a constant object are those of its type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const switchedKinds: readonly SwitchedMail[] = Object.keys(switchedMails) as SwitchedMail[];

/**
 * Kinds whose mails have no link that turns them off without a sign-in: who reads the mails of a member must not be able to
 * hide a sign-in.
 */
export const switchedSignedIn: ReadonlySet<SwitchedMail> = new Set<SwitchedMail>(["new_device"]);

/** Returns whether a member with a role gets mails of a kind, unless they turn them off. */
export function getsMails(role: Role, kind: SwitchedMail): boolean {
  const readers: readonly Role[] = switchedMails[kind];
  return readers.includes(role);
}
