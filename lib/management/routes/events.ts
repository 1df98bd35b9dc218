import { petExample } from "../../model/pet-schema.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { environments, type Environment } from "../../model/account.ts";
import { eventTypes } from "../../model/event.ts";
import type {
  ManagementAnswer,
  ManagementCall,
  ManagementEndpoint,
  ManagementParameter,
} from "../endpoint.ts";
import { eventPage } from "../event-pages.ts";
import type { ManagementServices } from "../management.ts";
import { nextLink } from "../next-link.ts";
import { choiceParameter, choicesParameter, integerParameter, numberIn } from "../parameters.ts";
import { tooManyStreams } from "../refusals.ts";
import { eventSchema } from "../schemas/event.ts";
import { eventStream } from "../sse.ts";
import { tailEvents } from "../tail-events.ts";
import { wantsEvents } from "../wants-events.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

const parameters: readonly ManagementParameter[] = [
  integerParameter(
    "after",
    "Begins after the event with this `seq`. Default: with the oldest, in a stream with the next one.",
  ),
  integerParameter("limit", "Maximum number of events returned; a stream has no end.", {
    minimum: 1,
    maximum: MAX_LIMIT,
    fallback: DEFAULT_LIMIT,
  }),
  choiceParameter(
    "order",
    "`newest`: the newest first, and `after` leads to older ones. A stream has the order of time.",
    ["oldest", "newest"],
    "oldest",
  ),
  choicesParameter("types", "Only events of these types.", eventTypes),
  choiceParameter(
    "environment",
    "Only events of this catalogue, and those of the whole account. Default: of both catalogues.",
    environments,
  ),
];

const success: ManagementEndpoint["success"] = {
  status: 200,
  description: "Events in the order asked for. `Link` leads to those that come after them.",
  schema: { name: "Events", json: { type: "array", items: eventSchema.json } },
  example: [
    {
      seq: 42,
      type: "pet.status_changed",
      accountId: "acc_3kX9bQ2mZ7Lt",
      environment: "production",
      at: "2026-11-20T09:30:00.000Z",
      data: { pet: { ...petExample, status: "sold" }, from: "pending" },
    },
  ],
  headers: ["Link"],
  events:
    "Events as they happen: `id` is the `seq`, `event` the type, `data` the event as above. After `Last-Event-ID` " +
    "(or `after`) what was missed comes first. A comment comes every 15 seconds when nothing else does.",
};

const description =
  "What happened, as far back as 30 days. `seq` grows and is never given twice; it is shared with others, so that " +
  "numbers are missing. With `Accept: text/event-stream` the answer goes on: a token may have 20 of them, an account 100.";

const refusals = ["invalid_parameter", "unknown_parameter", "limit_reached"] as const;

export const eventEndpoints: readonly ManagementEndpoint[] = [
  {
    operationId: "listAccountEvents",
    method: "GET",
    path: "/accounts/:account/events",
    tag: "events",
    access: "account",
    role: "viewer",
    summary: "List or follow the events of an account",
    description,
    parameters,
    success,
    refusals,
    handle: (call, services) => answer(call, services, call.account.id),
  },
  {
    operationId: "listEvents",
    method: "GET",
    path: "/events",
    tag: "events",
    access: "platform",
    role: "operator",
    summary: "List or follow the events of all accounts",
    description,
    parameters,
    success,
    refusals,
    handle: (call, services) => answer(call, services),
  },
];

type Answer = Promise<Result<ManagementAnswer, Problem>>;

function answer(call: ManagementCall, services: ManagementServices, accountId?: string): Answer {
  return wantsEvents(call.request)
    ? follow(call, services, accountId)
    : list(call, services, accountId);
}

async function list(
  call: ManagementCall,
  { store }: ManagementServices,
  accountId: string | undefined,
): Answer {
  const { query } = call;
  const limit = numberIn(query, "limit") ?? DEFAULT_LIMIT;
  const types = typesIn(query);
  const environment = environmentIn(query);
  const newestFirst = query["order"] === "newest";
  const from = numberIn(query, "after") ?? (newestFirst ? Number.MAX_SAFE_INTEGER : 0);
  const page = await eventPage(store, from, { accountId, types, environment, limit, newestFirst });
  const path = accountId === undefined ? "/events" : `/accounts/${accountId}/events`;
  const next = { limit, order: newestFirst ? "newest" : undefined, environment };
  return done({
    status: 200,
    value: page.events,
    ...(page.more
      ? { headers: nextLink(call, path, { ...next, after: page.seq, types: types?.join(",") }) }
      : {}),
  });
}

async function follow(
  call: ManagementCall,
  { store, clock, log, streams, stopping }: ManagementServices,
  accountId: string | undefined,
): Answer {
  const { query, request, principal } = call;
  const heard = request.headers.get("last-event-id");
  if (heard !== null && !SEQ.test(heard)) return refused(badLastEventId);
  const newest = await store.events.last();
  const leave = streams.open(principal);
  if (leave === undefined) return refused(tooManyStreams);
  const after = heard === null ? numberIn(query, "after") : Number(heard);
  const tail = {
    store,
    clock,
    accountId,
    types: typesIn(query),
    environment: environmentIn(query),
    // A number of the future is one of a database that is there no more.
    seq: Math.min(after ?? newest, newest),
    stillAllowed: async () =>
      (await call.stillAllowed()) &&
      (accountId === undefined || (await store.accounts.byId(accountId)) !== undefined),
  };
  const stream = eventStream((signal) => tailEvents(tail, signal), {
    until: [stopping, request.signal],
    log,
    clock,
    onEnd: leave,
  });
  return done({ status: 200, stream });
}

const SEQ = /^\d{1,15}$/;

const badLastEventId: Problem = problem(
  "invalid_parameter",
  "Last-Event-ID must be the id of an event of this stream.",
);

function environmentIn({
  environment,
}: Readonly<Record<string, unknown>>): Environment | undefined {
  return environments.find((one) => one === environment);
}

function typesIn({ types }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  return Array.isArray(types) ? types.map(String) : undefined;
}
