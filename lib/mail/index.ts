export type { MailKind, MailKinds } from "./kinds.ts";
export { noMail } from "./mail.ts";
export type { Mail, MailRefusal, NewMail } from "./mail.ts";
export { readMailbox, writtenMailbox } from "./mailbox.ts";
export type {
  Delivery,
  Mailbox,
  Mailer,
  MailFailure,
  MailFault,
  MailServer,
  MailServerState,
  OutgoingMail,
} from "./mailer.ts";
