import type { Command } from "../command.ts";
import { accountsCreate } from "./accounts-create.ts";
import { accountsDelete } from "./accounts-delete.ts";
import { accountsList } from "./accounts-list.ts";
import { accountsPlan } from "./accounts-plan.ts";
import { accountsRename } from "./accounts-rename.ts";
import { accountsResume } from "./accounts-resume.ts";
import { accountsSuspend } from "./accounts-suspend.ts";
import { certsAccountReplace, certsAccountRollover, certsAccountShow } from "./certs-account.ts";
import { certsExport } from "./certs-export.ts";
import { certsList } from "./certs-list.ts";
import { certsRenew } from "./certs-renew.ts";
import { certsRevoke } from "./certs-revoke.ts";
import { configPrint } from "./config-print.ts";
import { configSchemaCommand } from "./config-schema.ts";
import { deploy } from "./deploy.ts";
import { deploysActivate } from "./deploys-activate.ts";
import { deploysList } from "./deploys-list.ts";
import { doctor } from "./doctor.ts";
import { domainsAdd } from "./domains-add.ts";
import { domainsExplain } from "./domains-explain.ts";
import { domainsHsts } from "./domains-hsts.ts";
import { domainsList } from "./domains-list.ts";
import { domainsPrimary } from "./domains-primary.ts";
import { domainsRedirect } from "./domains-redirect.ts";
import { domainsRemove } from "./domains-remove.ts";
import { domainsShow } from "./domains-show.ts";
import { domainsVerify } from "./domains-verify.ts";
import { healthcheck } from "./healthcheck.ts";
import { keysCreate } from "./keys-create.ts";
import { keysList } from "./keys-list.ts";
import { keysRevoke } from "./keys-revoke.ts";
import { keysRotate } from "./keys-rotate.ts";
import { keysUnban } from "./keys-unban.ts";
import { membersCreate } from "./members-create.ts";
import { membersList } from "./members-list.ts";
import { membersRemove } from "./members-remove.ts";
import { membersResetLink } from "./members-reset-link.ts";
import { openapi } from "./openapi.ts";
import { petsExport } from "./pets-export.ts";
import { petsImport } from "./pets-import.ts";
import { projectsCreate } from "./projects-create.ts";
import { projectsDelete } from "./projects-delete.ts";
import { projectsExport } from "./projects-export.ts";
import { projectsList } from "./projects-list.ts";
import { projectsRestore } from "./projects-restore.ts";
import { projectsSet } from "./projects-set.ts";
import { rollback } from "./rollback.ts";
import { serve } from "./serve.ts";
import { setupLink } from "./setup-link.ts";
import { tokensClaim } from "./tokens-claim.ts";
import { tokensCreate } from "./tokens-create.ts";
import { tokensList } from "./tokens-list.ts";
import { tokensRevoke } from "./tokens-revoke.ts";
import { usage } from "./usage.ts";
import { versionCommand } from "./version.ts";

/** In the order of the help. */
export const commands: readonly Command[] = [
  serve,
  accountsCreate,
  accountsList,
  accountsPlan,
  accountsRename,
  accountsSuspend,
  accountsResume,
  accountsDelete,
  keysCreate,
  keysList,
  keysRotate,
  keysRevoke,
  keysUnban,
  petsImport,
  petsExport,
  projectsCreate,
  projectsList,
  projectsSet,
  projectsExport,
  projectsDelete,
  projectsRestore,
  deploy,
  deploysList,
  deploysActivate,
  rollback,
  domainsAdd,
  domainsVerify,
  domainsShow,
  domainsList,
  domainsRedirect,
  domainsPrimary,
  domainsHsts,
  domainsRemove,
  domainsExplain,
  certsList,
  certsRenew,
  certsExport,
  certsRevoke,
  certsAccountShow,
  certsAccountRollover,
  certsAccountReplace,
  usage,
  membersList,
  membersCreate,
  membersResetLink,
  membersRemove,
  tokensCreate,
  tokensList,
  tokensRevoke,
  tokensClaim,
  setupLink,
  openapi,
  configPrint,
  configSchemaCommand,
  doctor,
  healthcheck,
  versionCommand,
];
