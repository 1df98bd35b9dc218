import {
  choice,
  declared,
  fields,
  instant,
  list,
  listOf,
  orNull,
  shape,
  text,
  whole,
} from "../../base/shape.ts";
import type { Shape } from "../../base/shape.ts";
import { named, object, oneOf, string } from "../../base/schema.ts";
import { mailFaults } from "../../mail/mailer.ts";
import { emailJson, faultOfEmail } from "../../model/email.ts";
import {
  baseDomainCheckIds,
  baseDomainCodes,
  checkStates,
  limitsPlaces,
  mailTestOutcomes,
  nodeStates,
  redisStates,
  settingOrigins,
} from "../system.ts";
import { accountShape } from "../../accounts/shapes/account.ts";
import { projectShape } from "../../publishing/shapes/projects.ts";
import { planLimits } from "../../model/account.ts";

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
      code: text("Identifies the result. Later versions may add codes."),
      data: declared<object>({
        type: "object",
        description: "The values in the texts, by `code`, for texts in other languages.",
      }),
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

export const nodesShape = listOf(
  "Nodes",
  shape(
    "Node",
    {
      id: text("Stays the same when the node restarts with its data directory."),
      name: text("Its `node-name`."),
      version: text("Version of the program."),
      state: choice(nodeStates, "`lost` has not reported for ten seconds."),
      startedAt: instant("When the program started, by the clock of the database."),
      seenAt: instant("When it last reported, by the clock of the database."),
      addresses: list(text(), { description: "Its `node-addresses`." }),
      lagMs: whole({
        minimum: 0,
        description: "How old its copies of keys, routes and sites could be when it reported.",
      }),
      databaseMs: whole({
        minimum: 0,
        description: "How long the database took to confirm the report before.",
      }),
      clockAheadMs: whole({
        description:
          "By how much its clock was ahead of the database's; negative if it was behind.",
      }),
      limitsIn: choice(limitsPlaces, "Where limits are counted, as far as it knew."),
      redis: choice(redisStates, "Whether it uses `redis-url`, and could reach it."),
    },
    {
      limitsMovedAt: instant("When the counting last moved, by its clock; absent if it never has."),
      redisChangedAt: instant("Since when Redis is `ok` or `unavailable`, by its clock."),
    },
  ),
);

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
      code: choice(baseDomainCodes, "The result. Later versions may add codes."),
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

export const mailTestShape = shape("MailTest", {
  outcome: choice(mailTestOutcomes, "`later`: another attempt may succeed. `refused`: none can."),
  fault: orNull(choice(mailFaults, "Why the mail server did not take the mail.")),
  code: orNull(whole({ description: "Reply code of the server (RFC 5321)." })),
  said: textOrNull("What the server or the system said."),
});

/** The body of `testMail`. */
export const MailTestSchema = named(
  "MailTestRequest",
  object(
    { to: string(faultOfEmail, emailJson, { measures: true }) },
    { language: oneOf(["en", "de"], { description: "Language of the mail. Default: `en`." }) },
  ),
);

export const mailTestExample = {
  outcome: "later",
  fault: "credentials",
  code: 535,
  said: "535 5.7.8 Authentication failed",
} as const;

function textOrNull(description: string): Shape<string | null> {
  return { json: { type: ["string", "null"], description } };
}

const address = "192.0.2.7";

export const systemExample: unknown = {
  version: "1.0.0",
  startedAt: "2026-11-20T09:30:00.000Z",
  baseDomain: "pets.example.org",
  address: "https://pets.example.org",
  checks: [
    {
      id: "free-space",
      title: "Free space",
      state: "warning",
      code: "space_low",
      data: { path: "/var/lib/petstore", bytes: 312_000_000 },
      message: "312 MB free",
      fix: "Free space on the disk of /var/lib/petstore.",
    },
  ],
  settings: [{ name: "base-domain", value: "pets.example.org", origin: "environment" }],
};

export const nodesExample: unknown = [
  {
    id: "0f6a4f0e-6f43-4c57-9d36-6a1f4f2f6d0b",
    name: "pets-1",
    version: "1.0.0",
    state: "active",
    startedAt: "2026-11-20T09:30:00.000Z",
    seenAt: "2026-11-20T09:41:07.000Z",
    addresses: [address],
    lagMs: 120,
    databaseMs: 3,
    clockAheadMs: -2,
    limitsIn: "redis",
    limitsMovedAt: "2026-11-20T09:30:12.000Z",
    redis: "ok",
    redisChangedAt: "2026-11-20T09:30:01.000Z",
  },
];

export const baseDomainExample: unknown = {
  name: "pets.example.org",
  addresses: [address],
  checks: [
    {
      id: "wildcard",
      state: "failed",
      code: "no_record",
      subject: "*.pets.example.org",
      observed: null,
      expected: address,
      fix: `Add an A record for *.pets.example.org with the value ${address}.`,
    },
  ],
  records: [
    { type: "A", name: "*.pets.example.org", value: address, ttl: 3_600, check: "wildcard" },
  ],
  configuration: [
    { name: "base-domain", environment: "PETSTORE_BASE_DOMAIN", value: "pets.example.org" },
  ],
};

export const sampleShelterExample: unknown = {
  account: {
    id: "acc_8fJ2kQ0aZx1B",
    name: "Sample shelter",
    plan: "pro",
    limits: planLimits.pro,
    createdAt: "2026-11-20T09:30:00.000Z",
  },
  project: {
    id: "prj_8fJ2kQ0aZx1B",
    accountId: "acc_8fJ2kQ0aZx1B",
    slug: "brave-otter-1f2e",
    name: "Sample shelter",
    filter: { categoryIds: [], statuses: ["available", "pending"] },
    theme: {},
    version: 1,
    createdAt: "2026-11-20T09:30:00.000Z",
    updatedAt: "2026-11-20T09:30:00.000Z",
    url: "https://brave-otter-1f2e.pets.example.org",
  },
};
