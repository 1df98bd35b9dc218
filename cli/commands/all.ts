import type { Command } from "../command.ts";
import { accountsCreate } from "./accounts-create.ts";
import { accountsDelete } from "./accounts-delete.ts";
import { accountsList } from "./accounts-list.ts";
import { accountsPlan } from "./accounts-plan.ts";
import { accountsResume } from "./accounts-resume.ts";
import { accountsSuspend } from "./accounts-suspend.ts";
import { configPrint } from "./config-print.ts";
import { configSchemaCommand } from "./config-schema.ts";
import { doctor } from "./doctor.ts";
import { healthcheck } from "./healthcheck.ts";
import { keysCreate } from "./keys-create.ts";
import { keysList } from "./keys-list.ts";
import { keysRevoke } from "./keys-revoke.ts";
import { keysRotate } from "./keys-rotate.ts";
import { keysUnban } from "./keys-unban.ts";
import { openapi } from "./openapi.ts";
import { petsExport } from "./pets-export.ts";
import { petsImport } from "./pets-import.ts";
import { serve } from "./serve.ts";
import { versionCommand } from "./version.ts";

/** In the order of the help. */
export const commands: readonly Command[] = [
  serve,
  accountsCreate,
  accountsList,
  accountsPlan,
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
  openapi,
  configPrint,
  configSchemaCommand,
  doctor,
  healthcheck,
  versionCommand,
];
