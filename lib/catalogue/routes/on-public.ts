import { andThen, once, type Eventual } from "../../base/eventual.ts";
import type { Problem } from "../../base/problem.ts";
import { done } from "../../base/result.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { encode, type Answer } from "../../http/answer.ts";
import { entityTag, type Versioned } from "../../http/conditional.ts";
import type { Carries } from "../../http/endpoint.ts";
import { paginate, type Filter } from "../../http/paginate.ts";
import { idIn, listParameters, namedParameters, type QueryOf } from "../../http/parameters.ts";
import { keyWith, type PublicCall, type PublicEndpoint } from "../../http/public-endpoint.ts";
import {
  filledPath,
  idsIn,
  isList,
  isLocated,
  statusOf,
  type CatalogueCall,
  type ListOnPublic,
  type ListOperation,
  type Mountable,
  type OnPublic,
  type Operation,
  type PublicTypes,
} from "./operation.ts";

/** Returns the endpoints of those operations that the public API offers. */
export function onPublic<Each extends Mountable>(
  operations: readonly Each[],
): readonly (PublicEndpoint & Carries<PublicTypes<Each>>)[] {
  return operations.flatMap((operation: Mountable) => {
    if (operation.public === undefined) return [];
    return isList(operation)
      ? listEndpoint(operation, operation.public)
      : endpointOf(operation, operation.public, operations);
  });
}

/** Returns the members of an endpoint that follow from how the public API offers its operation. */
function offered({ path, summary, description }: Mountable, on: OnPublic) {
  return {
    operationId: on.operationId,
    path: on.path ?? path.replaceAll(/:(\w+)/g, ":$1Id"),
    summary: on.summary ?? summary,
    description: on.description ?? description,
    access: keyWith(on.scope),
    ...withoutUndefined({
      stability: on.stability,
      hideTryItPanel: on.hideTryItPanel,
      deprecation: on.deprecation,
    }),
  };
}

const DEPRECATED = ["Deprecation", "Sunset", "Link"] as const;

function endpointOf(
  operation: Operation,
  on: OnPublic,
  others: readonly Mountable[],
): PublicEndpoint {
  const { method, body, creates, conditional, output, success, refusals = [] } = operation;
  const { path, ...more } = offered(operation, on);
  const status = statusOf(operation);
  const located = isLocated(operation, others, "public");
  const retryable = method !== "GET" && method !== "DELETE";

  const answerOf =
    ({ base, params }: PublicCall) =>
    (row: unknown): Answer => {
      if (output === undefined) return { status };
      const { show, versionOf } = output;
      const version = versionOf?.(row);
      return {
        status,
        body: JSON.stringify(show === undefined ? row : show(row, { base, staff: false })),
        etag: version && entityTag(version),
        ...(located
          ? { headers: { location: `${base}${filledPath(path, params)}/${version?.id}` } }
          : {}),
      };
    };

  return {
    ...more,
    method,
    path,
    parameters: [],
    ...(body === undefined ? {} : { body }),
    ...(method === "GET" ? { pure: true } : {}),
    ...(retryable ? { retryable } : {}),
    ...(conditional === undefined ? {} : { conditional: true }),
    success: {
      status,
      description: on.success ?? success,
      ...(output === undefined ? {} : { schema: output.schema, example: output.example }),
      headers: [
        ...(output?.versionOf === undefined ? [] : (["ETag"] as const)),
        ...(located ? (["Location"] as const) : []),
        ...(on.deprecation === undefined ? [] : DEPRECATED),
        ...(retryable ? (["Idempotent-Replayed"] as const) : []),
      ],
    },
    refusals: [
      ...refusals,
      ...(path.includes(":") ? (["not_found"] as const) : []),
      ...(conditional === undefined && !creates ? [] : (["precondition_failed"] as const)),
      ...(on.deprecation === undefined ? [] : (["operation_removed"] as const)),
    ],
    run: (call, { actions }) => {
      const answer = answerOf(call);
      return andThen(conditional && preconditionOf(call.request, conditional), (precondition) => {
        const asked = { ...callOf(call, operation.path), body: call.body, precondition };
        return andThen(operation.run(actions, asked, call.remember(answer)), (outcome) =>
          outcome.ok ? done(answer(outcome.value)) : outcome,
        );
      });
    },
  };
}

const preconditions = once(() => import("../../http/preconditions.ts"));

/** Returns the check of a request's conditions, if it has any: its code is loaded with the first request that has. */
function preconditionOf(
  request: Pick<Request, "headers">,
  stale: Problem,
): Eventual<((row: Versioned) => Problem | undefined) | undefined> {
  const { headers } = request;
  if (!headers.has("if-match") && !headers.has("if-none-match")) return undefined;
  return andThen(preconditions(), ({ conditionsOf }) => conditionsOf(request, stale));
}

function listEndpoint(operation: ListOperation, on: ListOnPublic): PublicEndpoint {
  const { path, ...more } = offered(operation, on);
  const { filters, items = operation.items } = on;
  const { limit, ...paging } = listParameters;
  const names = Object.keys(filters);
  return {
    ...more,
    method: "GET",
    path,
    parameters: namedParameters({ limit, ...filters, ...paging }),
    pure: true,
    success: {
      status: 200,
      description: on.success ?? operation.success,
      schema: items.schema,
      example: items.example,
      headers: ["ETag", "Link", "X-Total-Count"],
    },
    refusals: [
      "invalid_parameter",
      "unknown_parameter",
      "invalid_cursor",
      ...(path.includes(":") ? (["not_found"] as const) : []),
    ],
    run: (call, { actions, cursors }) => {
      // The declared parameters checked the query.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const query = call.query as ListQuery;
      const asked = { ...callOf(call, operation.path), body: undefined };
      const reader = { base: call.base, staff: false, photoHost: call.photoHost };
      return andThen(operation.select(actions, asked), (selected) => {
        if (!selected.ok) return selected;
        return paginate({ ...call, query }, cursors, {
          ...selected.value,
          name: filledPath(path, call.params).slice(1),
          filters: names.map((filter) => [filter, query[filter]] as const),
          encode: (row) => encode(items.show(row, reader)),
        });
      });
    },
  };
}

type ListQuery = QueryOf<typeof listParameters> & Readonly<Record<string, Filter>>;

function callOf(
  { caller: { catalogueId, scopes }, params, query, now }: PublicCall,
  path: string,
): Omit<CatalogueCall, "body"> {
  return {
    catalogueId,
    ids: idsIn(path, (name) => idIn({ params }, `${name}Id`)),
    query,
    now,
    may: (scope) => scopes.includes(scope),
  };
}
