import { choice, fields, instant, list, shape, text, whole } from "../../base/shape.ts";
import type { Shape } from "../../base/shape.ts";
import { baseDomainCheckIds, baseDomainCodes, checkStates, settingOrigins } from "../system.ts";
import { accountShape } from "./account.ts";
import { projectShape } from "../../publishing/shapes/projects.ts";

const state = choice(
  checkStates,
  "`warning` deserves attention, `failed` keeps something from working, `skipped` does not apply here.",
);

const fix = textOrNull("What to do, in English; null where there is nothing to do.");

export const systemShape = shape("System", {
  version: text("Version of the program."),
  startedAt: instant("When the program started."),
  baseDomain: text("The host that serves Production and the dashboard."),
  address: text("Address of the dashboard."),
  checks: list(
    fields({
      id: text("In kebab-case; it does not change."),
      title: text("For people, in English."),
      state,
      message: text("The result, in English."),
      fix,
    }),
  ),
  settings: list(
    fields({
      name: text("As a key of the configuration file; a flag has two hyphens before it."),
      value: text("`(set)` for a secret, empty for an unset option."),
      origin: choice(settingOrigins, "The source of the value."),
    }),
  ),
});

const check = choice(baseDomainCheckIds, "What is checked.");

export const baseDomainShape = shape("BaseDomain", {
  name: text("In A-labels."),
  addresses: list(text(), {
    description: "Public addresses of this service, as far as it knows them.",
  }),
  checks: list(
    fields({
      id: check,
      state,
      code: choice(baseDomainCodes, "The result; later versions may know more."),
      subject: text("The name that was checked."),
      observed: textOrNull("Values as they were found, separated by commas."),
      expected: textOrNull("The expected values."),
      fix,
    }),
  ),
  records: list(
    fields({
      type: choice(["A", "AAAA"]),
      name: text("In full."),
      value: textOrNull("Null where the service does not know its own public address."),
      ttl: whole({ minimum: 0, description: "Seconds." }),
      check,
    }),
  ),
  configuration: list(
    fields({
      name: text("As a key of the configuration file; a flag has two hyphens before it."),
      environment: text("The environment variable of the same option."),
      value: text("The value to set."),
    }),
  ),
});

export const sampleShelterShape = shape("SampleShelter", {
  account: accountShape,
  project: projectShape,
});

function textOrNull(description: string): Shape<string | null> {
  return { json: { type: ["string", "null"], description } };
}
