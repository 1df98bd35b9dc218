export { createMail } from "./create-mail.ts";
export type { InstallationMail, MailOptions, MailService } from "./create-mail.ts";
export type { DomainTrouble, MailKind, MailKinds } from "./kinds.ts";
export { noMail } from "./mail.ts";
export type { Mail, MailRefusal, NewMail } from "./mail.ts";
export type {
  MailChange,
  MailEnd,
  MailQueueState,
  MailStore,
  MailStoreRefusal,
  QueuedMail,
} from "./mail-store.ts";
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
export type { MailObservation } from "./sender.ts";
export { memoryMailStore } from "./storage/memory-mail-store.ts";
export type { MemoryMailStoreOptions } from "./storage/memory-mail-store.ts";
export { mailSchema } from "./storage/rows.ts";
export { sqlMailStore } from "./storage/sql-mail-store.ts";
export type { SqlMailStoreOptions } from "./storage/sql-mail-store.ts";
