import { asTyped } from "../lib/base/commands.ts";
import { Failure, must } from "../settings/failure.ts";
import { oneOf } from "../settings/values.ts";
import { optional, type Command } from "./command.ts";
import { operation } from "./operation.ts";

const language = optional({
  name: "language",
  placeholder: "TAG",
  help: "Language of the mail: en or de. Default: en.",
  parse: oneOf(["en", "de"]),
});

export const mailCommands: readonly Command[] = [
  operation({
    path: "mail test",
    summary: "Send a test mail, and print what the mail server said",
    details:
      "Uses `smtp-url` and `mail-from`. A mail that the server takes can still be rejected by the recipient's server: check the mailbox. Exit code 6: the server did not take the mail.",
    operands: { address: { placeholder: "ADDRESS", help: "Email address of the recipient." } },
    flags: { language },
    examples: ["mail test ada@example.org", "mail test ada@example.org --language de"],
    call: async (client, { flags, operands: { address: to } }) => {
      const body = { to, language: flags.language };
      const tried = await client.call("POST /system/mail-test", { body });
      // The only thing that can be missing is a mail server in the settings.
      if (!tried.ok && tried.failure.code === "not_found") {
        throw new Failure("configuration", tried.failure.message);
      }
      return must(tried);
    },
    show: ({ outcome, fault, said }, { operands: { address }, context: { terminal, program } }) => {
      if (outcome === "sent") {
        terminal.err(`The mail server has taken the mail to ${address}.\n`);
        return;
      }
      terminal.fault(`The mail server did not take the mail (${fault}): ${said}\n`);
      terminal.err(asTyped("`petstore doctor` checks the server and says what to do.\n", program));
    },
    exit: ({ outcome }) => (outcome === "sent" ? "done" : "notOk"),
  }),
];
