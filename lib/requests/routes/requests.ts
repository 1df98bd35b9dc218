import { isoTime } from "../../base/clock.ts";
import { readableSecond } from "../../base/readable.ts";
import { done, refused } from "../../base/result.ts";
import {
  choice,
  count,
  declared,
  describedAs,
  extended,
  fields,
  instant,
  list,
  listOf,
  orNull,
  shape,
  text,
  whole,
  type ValueOf,
} from "../../base/shape.ts";
import { publicProblems, type ProblemCode } from "../../base/problem.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import {
  choiceParameter,
  instantParameter,
  limitParameter,
  textParameter,
} from "../../http/parameters.ts";
import { requestCounters, requestRules } from "../../http/request-log.ts";
import { inAccount, onPlatform } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { nextLink } from "../../management/next-link.ts";
import { environments } from "../../model/account.ts";
import { explainRequest, requestReasons, retryAdvice } from "../explain.ts";
import { englishExplanation } from "../explanation-words.ts";
import type { LoggedRequest, RequestPlace } from "../model.ts";
import type { RequestStore } from "../request-store.ts";
import { unknownRequest } from "../unknown.ts";

/** The dependencies of the operations. */
export interface RequestsContext {
  readonly requestStore: RequestStore;
  readonly keepMs: number;
}

const codeShape = declared<ProblemCode>({
  type: "string",
  enum: Object.keys(publicProblems),
  description: "The error code of the response; null: it was no error.",
});

const loggedShape = shape("LoggedRequest", {
  id: text(
    "The `X-Request-Id` of the response. A client may choose it, so several requests can have it.",
  ),
  at: instant("When it arrived."),
  environment: choice(environments),
  keyId: orNull(text("ID of the API key; null: the request had no valid key.")),
  userId: orNull(
    text("ID of the user, if one of the program that embeds the service made the request."),
  ),
  method: text(),
  operation: text("An operation of the public API; `unknown` if none was found."),
  path: text("Below `/v1`. A part that could name a person or hold a secret is `…`."),
  query: text("Names of parameters, with the values of enumerations and numbers; others are `…`."),
  status: whole({ minimum: 100, maximum: 599 }),
  code: orNull(codeShape),
  durationMs: count("From the arrival of the request to the response, in milliseconds."),
  rule: orNull(
    choice(
      requestRules,
      "The rule that refused the request whatever it asked for; null: none did.",
    ),
  ),
  represents: whole({
    minimum: 1,
    description: "How many similar requests this one stands for, itself included.",
  }),
});

const explanationShape = fields({
  reason: choice(requestReasons, "For programs. Later versions may add reasons."),
  why: text("Why the request got its answer, in English."),
  retry: choice(retryAdvice, "When the same request would have been served."),
  retryAt: orNull(instant("Only with `later`.")),
  retryText: text("The same as a sentence, in English."),
  todo: text("What to do, in English."),
  windows: list(
    fields({
      name: choice(["minute", "hour", "day", "account"]),
      limit: count(),
      before: count("How many requests were left before this one."),
      after: count("How many were left after it."),
      resetsAt: instant("When the whole limit was available again."),
    }),
    { description: "The limits that the request met." },
  ),
});

const keyShape = fields({
  id: text(),
  name: text(),
  expiresAt: orNull(instant()),
  revokedAt: orNull(instant()),
});

const explainedShape = extended("ExplainedRequest", loggedShape, {
  key: describedAs(orNull(keyShape), "The key as it is now; null: none, or it was deleted."),
  scope: orNull(text("The scope that the key lacks.")),
  counter: orNull(
    choice(
      requestCounters,
      "What the windows belong to: all keys of an environment, one key, users who are counted on their own, reads of the limits, or an address.",
    ),
  ),
  explanation: explanationShape,
});

const explainedShapes = listOf("ExplainedRequests", explainedShape);

const foundShapes = listOf(
  "FoundRequests",
  extended("FoundRequest", explainedShape, {
    account: describedAs(
      orNull(fields({ id: text(), name: text() })),
      "Null: the request had no valid key and no user.",
    ),
  }),
);

const daysShape = listOf(
  "RequestDays",
  shape("RequestDay", {
    at: instant("Start of the UTC day."),
    answered: count("How many requests arrived."),
    logged: count("How many of them are in the log."),
  }),
);

/** A request in a list of the management API. */
export type LoggedRequestView = ValueOf<typeof loggedShape>;
/** A request with its explanation. */
export type ExplainedRequestView = ValueOf<typeof explainedShape>;

const loggedExample = {
  id: "req_mwos3u0tfQ7dXvZ241",
  at: "2026-11-20T09:30:41.213Z",
  environment: "production",
  keyId: "8fJ2kQ0aZx",
  userId: null,
  method: "GET",
  operation: "listPets",
  path: "/pets",
  query: "status=available",
  status: 429,
  code: "rate_limited",
  durationMs: 1,
  rule: "minute_limit",
  represents: 1,
};

const explainedExample = {
  ...loggedExample,
  key: { id: "8fJ2kQ0aZx", name: "Website", expiresAt: null, revokedAt: null },
  scope: null,
  counter: "catalogue",
  explanation: {
    reason: "minute_limit",
    why: "The limit of 60 requests per minute was used up. All keys of Production share it.",
    retry: "later",
    retryAt: "2026-11-20T09:31:02.000Z",
    retryText:
      "A request sent at 2026-11-20 09:31:02 UTC or later would have been served, unless others had used up the limit again.",
    todo: "Wait as long as the Retry-After header says before you send the next request.",
    windows: [
      { name: "minute", limit: 60, before: 0, after: 0, resetsAt: "2026-11-20T09:31:02.000Z" },
      { name: "day", limit: 1_000, before: 204, after: 204, resetsAt: "2026-11-21T06:12:03.000Z" },
    ],
  },
};

/** The most requests of one ID in one answer. */
const MAX_SAME_ID = 20;

const query = {
  environment: choiceParameter("Only requests to this environment.", environments),
  key: textParameter("Only requests with the key of this ID.", {
    maxLength: 20,
    rule: "must be the ID of an API key",
    pattern: /^[0-9A-Za-z]{1,20}$/,
  }),
  status: textParameter(
    "Only responses with this status, such as `404`, or class, such as `4xx`.",
    {
      maxLength: 3,
      rule: "must be a status such as 404, or a class such as 4xx",
      pattern: /^[1-5](?:xx|\d\d)$/,
    },
  ),
  operation: textParameter("Only requests to this operation, such as `listPets`; or `unknown`.", {
    maxLength: 40,
    rule: "must be the name of an operation",
    pattern: /^[A-Za-z]{1,40}$/,
  }),
  path: textParameter("Only requests to this path below `/v1`, such as `/pets/12`.", {
    maxLength: 200,
    rule: "must be a path that begins with a slash",
    pattern: /^\//,
  }),
  from: instantParameter("Only requests since this time."),
  to: instantParameter("Only requests before this time."),
  after: textParameter("Where a page begins, as found in the `Link` header. Opaque.", {
    maxLength: 40,
    rule: "must be taken from a Link header",
    pattern: /^\d{1,16}-[0-9A-Za-z]{10}$/,
  }),
  limit: limitParameter({ maximum: 200, fallback: 50 }),
};

/** The operations on the request log. */
export function requestEndpoints({ requestStore, keepMs }: RequestsContext) {
  const ofAccount = { tag: "usage", access: inAccount("viewer") } as const;
  return [
    endpoint({
      ...ofAccount,
      operationId: "listRequests",
      method: "GET",
      path: "/accounts/:account/requests",
      summary: "List answered requests",
      description:
        "Requests to the public API with keys of the account, newest first. They appear within seconds. Above a rate, " +
        "the log keeps a sample of them, and `represents` says how many each one stands for. A page can have fewer " +
        "rows than its limit although `Link` leads to another one.",
      query,
      success: {
        status: 200,
        description: "One page. `Link` leads to the next one, if any.",
        schema: listOf("LoggedRequests", loggedShape),
        example: [loggedExample],
        headers: ["Link"],
      },
      refusals: ["invalid_parameter"],
      run: async (call) => {
        const { after, limit, key: keyId, status, ...filter } = call.query;
        const page = { limit, after: after === undefined ? undefined : placeIn(after) };
        const wanted = { ...filter, keyId, ...statusesOf(status) };
        const { rows, rest } = await requestStore.list(call.account.id, wanted, page);
        const { from, to } = filter;
        const next = rest && {
          ...call.query,
          from: writtenTime(from),
          to: writtenTime(to),
          after: `${rest.at}-${rest.rowId}`,
        };
        const path = `/accounts/${call.account.id}/requests`;
        const headers = next === undefined ? {} : nextLink(call, path, next);
        return done(new Reply(rows.map(viewOf), { headers }));
      },
    }),
    endpoint({
      ...ofAccount,
      operationId: "countRequestDays",
      method: "GET",
      path: "/accounts/:account/requests/days",
      summary: "Count answered requests by day",
      description:
        "How many requests arrived on each day, and how many of them the log has. Days without requests are left out.",
      success: {
        status: 200,
        description: "The days, oldest first.",
        schema: daysShape,
        example: [{ at: "2026-11-20T00:00:00.000Z", answered: 41_204, logged: 9_870 }],
      },
      refusals: [],
      run: async ({ account }) => done(await requestStore.days(account.id)),
    }),
    endpoint({
      ...ofAccount,
      operationId: "explainRequest",
      method: "GET",
      path: "/accounts/:account/requests/:request",
      summary: "Explain a request",
      description:
        "The requests of the account that have this ID, newest first, and why each got its answer. Usually one: a " +
        "client can use an ID again.",
      success: {
        status: 200,
        description: `At most ${MAX_SAME_ID} requests.`,
        schema: explainedShapes,
        example: [explainedExample],
      },
      refusals: ["not_found"],
      run: async ({ account, params: { request }, now }, { store }) => {
        const found = await requestStore.withId(account.id, request, MAX_SAME_ID);
        if (found.length === 0) {
          return refused(unknownRequest(request, { now, keepMs, ofAccount: true }));
        }
        return done(await Promise.all(found.map((row) => explained(row, store))));
      },
    }),
    endpoint({
      tag: "system",
      access: onPlatform("operator"),
      operationId: "findRequest",
      method: "GET",
      path: "/system/requests/:request",
      summary: "Explain a request of any account",
      description:
        "The requests of all accounts that have this ID, newest first, with those that had no valid key.",
      success: {
        status: 200,
        description: `At most ${MAX_SAME_ID} requests.`,
        schema: foundShapes,
        example: [{ ...explainedExample, account: { id: "acc_7Gk2mQ9xYt4B", name: "Otters" } }],
      },
      refusals: ["not_found"],
      run: async ({ params: { request }, now }, { store }) => {
        const found = await requestStore.findAll(request, MAX_SAME_ID);
        if (found.length === 0) {
          return refused(unknownRequest(request, { now, keepMs, ofAccount: false }));
        }
        const views = found.map(async (row) => {
          const { accountId } = row;
          const known = accountId && (await store.accounts.byId(accountId));
          const account =
            accountId === undefined ? null : { id: accountId, name: known ? known.name : "" };
          return { ...(await explained(row, store)), account };
        });
        return done(await Promise.all(views));
      },
    }),
  ] as const;
}

function writtenTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : isoTime(at);
}

function viewOf(row: LoggedRequest): LoggedRequestView {
  const {
    requestId: id,
    at,
    environment,
    keyId = null,
    userId = null,
    method,
    operation,
    path,
    query: sent,
  } = row;
  const { status, code = null, durationMs, rule = null, represents } = row;
  const asked = { id, at, environment, keyId, userId, method, operation, path, query: sent };
  return { ...asked, status, code, durationMs, rule, represents };
}

const words = englishExplanation(readableSecond);

async function explained(
  row: LoggedRequest,
  { keys }: ManagementServices["store"],
): Promise<ExplainedRequestView> {
  const { keyId, scope = null, counter = null } = row;
  const found = keyId === undefined ? undefined : await keys.byId(keyId);
  const key =
    found === undefined
      ? null
      : {
          id: found.id,
          name: found.name,
          expiresAt: found.expiresAt ?? null,
          revokedAt: found.revokedAt ?? null,
        };
  const explanation = explainRequest(row);
  const view = { ...viewOf(row), key, scope, counter };
  const request = { ...view, explanation };
  const { reason, retry, retryAt, windows } = explanation;
  return {
    ...view,
    explanation: {
      reason,
      why: words.why[reason](request),
      retry,
      retryAt,
      retryText: words.retry[retry](request),
      todo: words.todo[reason](request),
      windows,
    },
  };
}

/** Reads `404` or `4xx`. */
function statusesOf(status: string | undefined): {
  readonly statusFrom?: number;
  readonly statusTo?: number;
} {
  if (status === undefined) return {};
  if (!status.endsWith("xx")) return { statusFrom: Number(status), statusTo: Number(status) };
  const first = Number(status[0]) * 100;
  return { statusFrom: first, statusTo: first + 99 };
}

function placeIn(after: string): RequestPlace {
  const [at = "", rowId = ""] = after.split("-");
  return { at: Number(at), rowId };
}
