import { petExample } from "../../catalogue/schema.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { anyObject } from "../../base/schema.ts";
import { choice, instant, listOf, shape, text, whole } from "../../base/shape.ts";
import { environments } from "../../model/account.ts";
import { eventTypes } from "../../model/event.ts";
import { endpoint, Reply, EventReply } from "../../http/endpoint.ts";
import { type ManagementCall, inAccount, onPlatform } from "../endpoint.ts";
import { actorShape } from "../actor-views.ts";
import { eventPage, eventsShown, type EventView } from "../event-pages.ts";
import type { ManagementServices } from "../management.ts";
import { nextLink } from "../next-link.ts";
import {
  choiceParameter,
  choicesParameter,
  idParameter,
  integerParameter,
  type QueryOf,
  withFallback,
} from "../../http/parameters.ts";
import { tooManyStreams } from "../refusals.ts";
import { eventStream, wantsEvents } from "../sse.ts";
import { tailEvents } from "../tail-events.ts";

const MAX_LIMIT = 500;

const eventsShape = listOf(
  "Events",
  shape(
    "Event",
    {
      seq: whole({
        format: "int64",
        minimum: 1,
        description:
          "Increases with every event of the service. Pass it as `after` to continue from here.",
      }),
      type: choice(eventTypes),
      accountId: text(),
      at: instant(),
      data: anyObject({ description: "Details of the event. Never a secret." }),
    },
    {
      environment: choice(
        environments,
        "The environment of the event's catalogue; absent for events of the whole account.",
      ),
      actor: actorShape,
    },
  ),
);

const parameters = {
  after: integerParameter(
    "Starts after the event with this `seq`. Default: at the oldest event, in a stream at the next one.",
  ),
  limit: withFallback(
    integerParameter("Maximum number of events returned; a stream has no end.", {
      minimum: 1,
      maximum: MAX_LIMIT,
    }),
    100,
  ),
  order: withFallback(
    choiceParameter(
      "With `newest`, the newest event comes first and `after` leads to older ones. A stream is always in chronological order.",
      ["oldest", "newest"],
    ),
    "oldest",
  ),
  types: choicesParameter("Only events of these types.", eventTypes),
  environment: choiceParameter(
    "Only events of this catalogue and of the whole account. Default: both catalogues.",
    environments,
  ),
};

const inAccountParameters = {
  ...parameters,
  pet: idParameter("Only events of this animal. Needs `environment`, and is not for streams."),
};

const success = {
  status: 200,
  description: "One page of events in the requested order. `Link` leads to the next one.",
  schema: eventsShape,
  example: [
    {
      seq: 42,
      type: "pet.status_changed",
      accountId: "acc_3kX9bQ2mZ7Lt",
      environment: "production",
      at: "2026-11-20T09:30:00.000Z",
      actor: { kind: "member", id: "mem_8fJ2kQ0aZx1B", name: "Grace" },
      data: { pet: { ...petExample, status: "sold" }, from: "pending" },
    },
  ],
  headers: ["Link"],
  events:
    "Events as they happen: `id` is the `seq`, `event` the type, `data` the event as above. With `Last-Event-ID` (or " +
    "`after`), missed events come first. A comment is sent after 15 seconds without an event.",
} as const;

const description =
  "Events of the last 30 days. Staff, owners and operators see who caused each. `seq` increases and is never reused; all accounts share it, so it has gaps. With " +
  "`Accept: text/event-stream` the response is an endless stream. A token can have 20 streams open, an account 100.";

const refusals = ["invalid_parameter", "unknown_parameter", "limit_reached"] as const;

export const eventEndpoints = [
  endpoint({
    operationId: "listAccountEvents",
    method: "GET",
    path: "/accounts/:account/events",
    tag: "events",
    access: inAccount("viewer"),
    summary: "List or follow the events of an account",
    description,
    query: inAccountParameters,
    success,
    refusals,
    run: (call, services) => {
      const { pet, environment } = call.query;
      const unfit = pet !== undefined && (environment === undefined || wantsEvents(call.request));
      return unfit ? refused(petNeedsPage) : answer(call, services, call.account.id, pet);
    },
  }),
  endpoint({
    operationId: "listEvents",
    method: "GET",
    path: "/events",
    tag: "events",
    access: onPlatform("operator"),
    summary: "List or follow the events of all accounts",
    description,
    query: parameters,
    success,
    refusals,
    run: (call, services) => answer(call, services),
  }),
];

const petNeedsPage = problem(
  "invalid_parameter",
  'The parameter "pet" needs the parameter "environment", and is not for streams.',
);

type EventCall = ManagementCall<unknown, QueryOf<typeof parameters>>;
type Events = Reply<readonly EventView[]> | EventReply;

function answer(
  call: EventCall,
  services: ManagementServices,
  accountId?: string,
  petId?: number,
): Promise<Result<Events, Problem>> {
  return wantsEvents(call.request)
    ? follow(call, services, accountId)
    : list(call, services, accountId, petId);
}

async function list(
  call: EventCall,
  { store, showActor }: ManagementServices,
  accountId: string | undefined,
  petId: number | undefined,
): Promise<Result<Events, Problem>> {
  const { limit, types, environment, order } = call.query;
  const newestFirst = order === "newest";
  const from = call.query.after ?? (newestFirst ? Number.MAX_SAFE_INTEGER : 0);
  const wanted = { accountId, types, environment, petId, limit, newestFirst };
  const page = await eventPage(store, from, wanted);
  const path = accountId === undefined ? "/events" : `/accounts/${accountId}/events`;
  const next = { limit, order: newestFirst ? "newest" : undefined, environment, pet: petId };
  return done(
    new Reply(await eventsShown(page.events, call.principal, showActor), {
      headers: page.more
        ? nextLink(call, path, { ...next, after: page.seq, types: types?.join(",") })
        : {},
    }),
  );
}

async function follow(
  call: EventCall,
  { store, showActor, tail, clock, log, streams, stopping }: ManagementServices,
  accountId: string | undefined,
): Promise<Result<EventReply, Problem>> {
  const { query, request, principal } = call;
  const lastId = lastEventId(request.headers.get("last-event-id"));
  if (lastId === "invalid") return refused(badLastEventId);
  const newest = await store.events.last();
  const leave = await streams.take(principal);
  if (leave === undefined) return refused(tooManyStreams);
  const after = lastId ?? query.after;
  // A larger number comes from a database that was replaced.
  const seq = Math.min(after ?? newest, newest);
  const reader = {
    tail,
    showActor,
    principal,
    clock,
    accountId,
    types: query.types,
    environment: query.environment,
    seq,
    principalNow: () =>
      accountId !== undefined && tail.sawDeletion(accountId, seq) ? undefined : call.principalNow(),
  };
  const stream = eventStream((signal) => tailEvents(reader, signal), {
    stopping,
    until: [request.signal],
    log,
    clock,
    onEnd: leave,
  });
  return done(new EventReply(stream));
}

/** Reads `Last-Event-ID`, the number of an event; undefined without the header. */
export function lastEventId(header: string | null): number | "invalid" | undefined {
  if (header === null) return undefined;
  return SEQ.test(header) ? Number(header) : "invalid";
}

const SEQ = /^\d{1,15}$/;

const badLastEventId: Problem = problem(
  "invalid_parameter",
  "Last-Event-ID must be the ID of an event of this stream.",
);
