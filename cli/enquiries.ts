import type { PetstoreOperations } from "../domains/operations.ts";
import { MAX_ID } from "../lib/base/id.ts";
import { readableMinute } from "../lib/base/readable.ts";
import { enquiryStates } from "../lib/enquiries/index.ts";
import { must } from "../settings/failure.ts";
import { integer, oneOf } from "../settings/values.ts";
import { optional, optionalText, type Command, type Context, type Operand } from "./command.ts";
import { accountFlag, environmentFlag, given, placeOf } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, writeTable, yesFlag } from "./output.ts";

const enquiryOperand: Operand = {
  placeholder: "ENQUIRY",
  help: "Number of the enquiry, as `enquiries list` shows it.",
};

const inCatalogue = { account: accountFlag, environment: environmentFlag };
const notesFlag = optionalText("notes", "TEXT", "Notes of the staff, which replace earlier ones.");

const ENQUIRIES = "/accounts/:account/:environment/enquiries";
const ENQUIRY = `${ENQUIRIES}/:enquiry` as const;

type Enquiry = PetstoreOperations[`GET ${typeof ENQUIRY}`]["output"];

export const enquiryCommands: readonly Command[] = [
  operation({
    path: "enquiries list",
    summary: "List what visitors of the sites have asked, newest first",
    flags: {
      ...inCatalogue,
      state: optional({
        name: "state",
        placeholder: "STATE",
        help: `${enquiryStates.join(", ")}. Default: all.`,
        parse: oneOf(enquiryStates),
      }),
      petId: optional({
        name: "pet",
        placeholder: "PET",
        help: "Only enquiries about the animal with this ID.",
        parse: integer({ min: 1, max: MAX_ID }),
      }),
    },
    examples: [
      "enquiries list --account acc_7Gk2mQ9xYt4B",
      "enquiries list --account acc_7Gk2mQ9xYt4B --state new",
    ],
    call: async ({ all }, { flags }) => {
      const query = given({ state: flags.state, petId: flags.petId });
      return must(await all(`GET ${ENQUIRIES}`, { ...placeOf(flags), query }));
    },
    show: async (enquiries, { context }) => {
      if (enquiries.length > 0) await showEnquiries(enquiries, context);
      else context.terminal.err("No enquiries.\n");
    },
  }),
  operation({
    path: "enquiries show",
    summary: "Show an enquiry with its message",
    operands: { enquiry: enquiryOperand },
    flags: inCatalogue,
    examples: ["enquiries show 12 --account acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { flags, operands }) =>
      must(await call(`GET ${ENQUIRY}`, { ...placeOf(flags), enquiry: operands.enquiry })),
    show: showWhole,
  }),
  moving("answer", "answered", "Mark an enquiry as answered; this sends no mail"),
  moving("close", "closed", "Mark an enquiry as closed"),
  operation({
    path: "enquiries remove",
    summary: "Delete an enquiry permanently",
    operands: { enquiry: enquiryOperand },
    flags: { ...inCatalogue, yes: yesFlag },
    examples: ["enquiries remove 12 --account acc_7Gk2mQ9xYt4B --yes"],
    call: async ({ call }, { flags, operands, context }) => {
      const { enquiry } = operands;
      await confirm(context.terminal, `Delete the enquiry ${enquiry} permanently?`, flags.yes);
      return must(await call(`DELETE ${ENQUIRY}`, { ...placeOf(flags), enquiry }));
    },
    json: () => ({ removed: true }),
    show: (_, { operands, context }) => {
      context.terminal.err(`Deleted the enquiry ${operands.enquiry}.\n`);
    },
  }),
];

/** Declares a command that gives an enquiry a state. */
function moving(verb: string, state: "answered" | "closed", summary: string): Command {
  return operation({
    path: `enquiries ${verb}`,
    summary,
    operands: { enquiry: enquiryOperand },
    flags: { ...inCatalogue, notes: notesFlag },
    examples: [`enquiries ${verb} 12 --account acc_7Gk2mQ9xYt4B --notes "Visit on Friday"`],
    call: async ({ call }, { flags, operands }) => {
      const body = { state, ...given({ notes: flags.notes }) };
      const input = { ...placeOf(flags), enquiry: operands.enquiry, body };
      return must(await call(`PATCH ${ENQUIRY}`, input));
    },
    show: (enquiry, { context }) => showEnquiries([enquiry], context),
  });
}

function showEnquiries(enquiries: readonly Enquiry[], { terminal }: Context): Promise<void> {
  return writeTable(
    terminal,
    ["ENQUIRY", "STATE", "RECEIVED", "ANIMAL", "NAME", "EMAIL"],
    enquiries.map(({ id, state, createdAt, petName, name, email }) => [
      String(id),
      state,
      readableMinute(createdAt),
      petName,
      name,
      email,
    ]),
  );
}

async function showWhole(
  enquiry: Enquiry,
  { context }: { readonly context: Context },
): Promise<void> {
  await showEnquiries([enquiry], context);
  const { phone, message, notes } = enquiry;
  const parts = [
    ...(phone === undefined ? [] : [`Phone: ${phone}`]),
    message,
    ...(notes === undefined ? [] : [`Notes: ${notes}`]),
  ];
  await context.terminal.out(`\n${parts.join("\n\n")}\n`);
}
