import type { JsonSchema } from "../../base/schema.ts";
import { baseDomainCheckIds, baseDomainCodes, checkStates, settingOrigins } from "../system.ts";
import { accountShape } from "./account.ts";
import { projectShape } from "./project.ts";
import { instant, shape, text, type Shape } from "./shape.ts";

const state = {
  type: "string",
  enum: checkStates,
  description:
    "`warning` is worth a look, `failed` keeps something from working, `skipped` does not matter here.",
};

const fix = textOrNull("What to do, in English; null where there is nothing to do.");

export const systemShape: Shape = shape("System", {
  version: text("Of the program."),
  startedAt: instant("Since when it runs."),
  baseDomain: text("The host that serves Production and the dashboard."),
  address: text("Where people find the dashboard."),
  checks: list({
    id: text("In kebab-case; it does not change."),
    title: text("For people, in English."),
    state,
    message: text("What was found, in English."),
    fix,
  }),
  settings: list({
    name: text("As a key of the configuration file; a flag has two hyphens before it."),
    value: text("`(set)` for a secret, empty for what is not set."),
    origin: { type: "string", enum: settingOrigins, description: "Who said so." },
  }),
});

const check = {
  type: "string",
  enum: baseDomainCheckIds,
  description: "Which thing is looked at.",
};

export const baseDomainShape: Shape = shape("BaseDomain", {
  name: text("In A-labels."),
  addresses: {
    type: "array",
    items: { type: "string" },
    description: "Public addresses of this service, as far as it knows them.",
  },
  checks: list({
    id: check,
    state,
    code: {
      type: "string",
      enum: baseDomainCodes,
      description: "What was found; later versions may know more.",
    },
    subject: text("The name that was looked at."),
    observed: textOrNull("Values as they were found, separated by commas."),
    expected: textOrNull("What should be there."),
    fix,
  }),
  records: list({
    type: { type: "string", enum: ["A", "AAAA"] },
    name: text("In full."),
    value: textOrNull("Null where the service does not know its own public address."),
    ttl: { type: "integer", minimum: 0, description: "Seconds." },
    check,
  }),
  configuration: list({
    name: text("As a key of the configuration file; a flag has two hyphens before it."),
    environment: text("The environment variable that says the same."),
    value: text("What it is to be."),
  }),
});

export const sampleShelterShape: Shape = shape("SampleShelter", {
  account: accountShape.json,
  project: projectShape.json,
});

function textOrNull(description: string): JsonSchema {
  return { type: ["string", "null"], description };
}

function list(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const required = Object.keys(properties);
  return {
    type: "array",
    items: { type: "object", required, properties, additionalProperties: false },
  };
}
