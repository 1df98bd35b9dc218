import { includes } from "../accounts/principal.ts";
import { done } from "../base/result.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import {
  allRows,
  filledPath,
  idsIn,
  isList,
  isLocated,
  MAX_ROWS,
  statusOf,
  type CatalogueCall,
  type ListOnManagement,
  type ListOperation,
  type ManagementTypes,
  type Mountable,
  type OnManagement,
  type Operation,
  type Reader,
} from "../catalogue/routes/operation.ts";
import { entityTag } from "../http/conditional.ts";
import { conditionsOf } from "../http/preconditions.ts";
import { Reply, type Carries } from "../http/endpoint.ts";
import { idIn, limitParameter, namedParameters, type Parameters } from "../http/parameters.ts";
import { inAccount, type AnyCall, type ManagementEndpoint } from "./endpoint.ts";
import { inCatalogue, type EnvironmentCall } from "./in-catalogue.ts";
import { pageOf } from "./next-link.ts";

/** Returns the endpoints of those operations that the management API offers. */
export function onManagement<Each extends Mountable>(
  operations: readonly Each[],
): readonly (ManagementEndpoint & Carries<ManagementTypes<Each>>)[] {
  return operations.flatMap((operation: Mountable) => {
    if (operation.management === undefined) return [];
    return isList(operation)
      ? listEndpoint(operation, operation.management)
      : endpointOf(operation, operation.management, operations);
  });
}

/** Returns the members of an endpoint that follow from how the management API offers its operation. */
function offered({ path, summary, description }: Mountable, on: OnManagement) {
  return {
    operationId: on.operationId,
    path: `/accounts/:account/:environment${path}`,
    tag: "animals",
    summary: on.summary ?? summary,
    description: on.description ?? description,
    access: inAccount(on.role),
    ...withoutUndefined({ bulk: on.bulk, maxBodyBytes: on.maxBodyBytes, records: on.records }),
  } as const;
}

function endpointOf(
  operation: Operation,
  on: OnManagement,
  others: readonly Mountable[],
): ManagementEndpoint {
  const { method, path, conditional, output, refusals = [] } = operation;
  const { body = operation.body } = on;
  const located = isLocated(operation, others, "management");
  return {
    ...offered(operation, on),
    method,
    parameters: [],
    ...(body === undefined ? {} : { body }),
    ...(conditional === undefined ? {} : { conditional: true }),
    success: {
      status: statusOf(operation),
      description: on.success ?? operation.success,
      ...(output === undefined ? {} : { schema: output.schema, example: output.example }),
      headers: [
        // The document adds it to each read.
        ...(output?.versionOf === undefined || method === "GET" ? [] : (["ETag"] as const)),
        ...(located ? (["Location"] as const) : []),
      ],
    },
    refusals: [...refusals, "not_found"],
    run: (call, { store, commit, clock }) =>
      inCatalogue<unknown>(pathOf(call), store, async (catalogueId, root) => {
        const precondition = conditional && conditionsOf(call.request, conditional);
        const asked = { ...callOf(call, catalogueId, path), precondition };
        const outcome = await operation.run({ store, commit, clock }, asked, () => []);
        if (!outcome.ok || output === undefined) return outcome;
        const { show, versionOf } = output;
        const value = show === undefined ? outcome.value : show(outcome.value, readerOf(call));
        const version = versionOf?.(outcome.value);
        if (version === undefined) return done(value);
        const location = `${call.base}${root}${filledPath(path, call.params)}/${version.id}`;
        return done(
          new Reply(value, { etag: entityTag(version), headers: located ? { location } : {} }),
        );
      }),
  };
}

const limitOfPages = limitParameter({ maximum: MAX_ROWS, fallback: 100 });

function listEndpoint(operation: ListOperation, on: ListOnManagement): ManagementEndpoint {
  const { items, path } = operation;
  const { filters, pages } = on;
  const order = pages === "all" || typeof pages.order === "string" ? undefined : pages.order;
  const query: Parameters = {
    ...(order === undefined ? {} : { order }),
    ...filters,
    ...(pages === "all" ? {} : { after: pages.after, limit: limitOfPages }),
  };
  return {
    ...offered(operation, on),
    method: "GET",
    parameters: namedParameters(query),
    success: {
      status: 200,
      description: on.success ?? operation.success,
      schema: items.schema,
      example: on.example ?? items.example,
      headers: pages === "all" ? [] : ["Link"],
    },
    refusals: ["not_found"],
    run: (call, { store, commit, clock }) =>
      inCatalogue<unknown>(pathOf(call), store, async (catalogueId, root) => {
        const asked = { ...callOf(call, catalogueId, path), body: undefined };
        const selected = await operation.select({ store, commit, clock }, asked);
        if (!selected.ok) return selected;
        const { value } = selected;
        const reader = readerOf(call);
        if (pages === "all") {
          const all = await allRows((page) => value.rows(page));
          return done(all.map((row) => items.show(row, reader)));
        }
        const { after, limit, order: chosen, ...filtered } = pagesIn(call.query);
        const direction = pages.order === "desc" || chosen === "newest" ? "desc" : "asc";
        const position = after === undefined ? {} : { after };
        // One more row shows whether another page follows.
        const found = await value.rows({ limit: limit + 1, order: direction, ...position });
        const next = { ...filtered, order: chosen === "newest" ? chosen : undefined, limit };
        const at = root + filledPath(path, call.params);
        const { rows, headers } = pageOf(call, at, found, next);
        return done(
          new Reply(
            rows.map((row) => items.show(row, reader)),
            { headers },
          ),
        );
      }),
  };
}

interface PageQuery {
  readonly order?: "oldest" | "newest";
  readonly after?: number;
  readonly limit: number;
}

/** Returns the parameters of pages, which their declarations checked. */
function pagesIn(query: object): PageQuery {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return query as PageQuery;
}

/** The call with the account that its access found and the parameters of its path. */
function pathOf(call: AnyCall): EnvironmentCall {
  // `inAccount` admits only calls with an account, and the path has both parameters.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return call as AnyCall & EnvironmentCall;
}

function readerOf({ base, principal }: AnyCall): Reader {
  return { base, staff: principal !== undefined && includes(principal.role, "staff") };
}

function callOf(
  { params, query, body, now }: AnyCall,
  catalogueId: number,
  path: string,
): CatalogueCall {
  return {
    catalogueId,
    ids: idsIn(path, (name) => idIn({ params }, name)),
    query,
    body,
    now,
    // Members decide for their account what its keys may not.
    may: () => true,
  };
}
