import type { Records } from "../../model/audit-types.ts";
import type { Role } from "../../accounts/principal.ts";
import type { Eventual } from "../../base/eventual.ts";
import type { Page } from "../../base/page.ts";
import type { Problem, ProblemCode } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import type { Schema } from "../../base/schema.ts";
import type { Named, Shape } from "../../base/shape.ts";
import type { Versioned } from "../../http/conditional.ts";
import type { Declared, Deprecation } from "../../http/endpoint.ts";
import type { NamesIn, Operation as OperationTypes } from "../../http/operation.ts";
import type { List } from "../../http/paginate.ts";
import type {
  Defaulted,
  listParameters,
  Parameter,
  Parameters,
  QueryOf,
} from "../../http/parameters.ts";
import type { PublicEndpoint } from "../../http/public-endpoint.ts";
import type { Scope } from "../../model/scope.ts";
import type { Also } from "../../storage/change.ts";
import type { CatalogueContext } from "../commit.ts";
import type { PhotoHost } from "../photo-address.ts";

/** A call of an operation in one catalogue, in the form that is the same for every API. */
export interface CatalogueCall<Body = unknown, Query = unknown, Name extends string = string> {
  readonly catalogueId: number;
  /** The ids in the path by name; 0, which no row has, for an impossible one. */
  readonly ids: Readonly<Record<Name, number>>;
  readonly query: Query;
  readonly body: Body;
  /** When the request arrived. */
  readonly now: number;
  /** Returns why a row must not be changed. Absent: it may be. */
  readonly precondition?: ((row: Versioned) => Problem | undefined) | undefined;
  /** Whether the caller may do what a scope of API keys permits. */
  readonly may: (scope: Scope) => boolean;
}

/** The caller to whom a row is shown. */
export interface Reader {
  /** The address of the API that was called. */
  readonly base: string;
  /** Whether the caller may see what only staff may. */
  readonly staff: boolean;
  /** Where the photos of shown animals are. Absent: below `base`, as those of others. */
  readonly photoHost?: PhotoHost | undefined;
}

/** The form in which an operation sends a row. */
export interface Output<Row, Value> {
  readonly schema: Named<Shape<Value>>;
  /** Documents the value, with instants as they are sent. */
  readonly example: unknown;
  /** Absent: the row is the value. */
  show?(this: void, row: Row, to: Reader): Value;
  /** Returns the version of the row, for its `ETag` and `Location`. Absent if the value has none. */
  versionOf?(this: void, row: Row): Versioned;
}

/** Declares the form of a row that has versions. */
// @__NO_SIDE_EFFECTS__
export function rowOf<Row extends Versioned, Value>(
  output: Omit<Output<Row, Value>, "versionOf">,
): Output<Row, Value> {
  return { ...output, versionOf: (row) => row };
}

/** The texts of an operation in the OpenAPI document. An API can replace each of them. */
interface Texts {
  readonly summary: string;
  readonly description: string;
  /** Describes the successful response. */
  readonly success: string;
}

/** How the public API offers an operation. Reads are cached, and other requests than DELETE may be retried. */
export interface OnPublic extends Partial<Texts> {
  readonly operationId: string;
  /** Default: the operation's own, where each parameter has the suffix `Id`. */
  readonly path?: string;
  readonly scope: Scope;
  readonly stability?: PublicEndpoint["stability"];
  readonly hideTryItPanel?: true;
  readonly deprecation?: Deprecation;
}

/** How the management API offers an operation, at a path below the catalogue's. */
export interface OnManagement extends Partial<Texts> {
  readonly operationId: string;
  /** The lowest role that may call it. */
  readonly role: Role;
  /** Default: the operation's own body. */
  readonly body?: Named<Schema<unknown>>;
  readonly bulk?: true;
  readonly maxBodyBytes?: number;
  /** What the audit log records of a call, if its changes write no event. */
  readonly records?: Records;
}

/** An operation in one catalogue, which both APIs and the local client offer. */
export interface Operation<
  Row = unknown,
  Value = unknown,
  Body = unknown,
  Name extends string = string,
> extends Texts {
  readonly method: Declared["method"];
  /** Below the root or the catalogue. Its parameters are ids: `/pets/:pet`. */
  readonly path: string;
  readonly public?: OnPublic;
  readonly management?: OnManagement;
  /** The operation creates what it returns: 201. */
  readonly creates?: true;
  readonly body?: Named<Schema<Body>>;
  /** Accepts `If-Match`; this is the refusal of another version. */
  readonly conditional?: Problem;
  /** Absent: the response has no body. */
  readonly output?: Output<Row, Value>;
  /** Refusals beyond those that follow from the other members. */
  readonly refusals?: readonly ProblemCode[];
  /** Does the work. `also` returns further changes for its commit. */
  run(
    this: void,
    context: CatalogueContext,
    call: CatalogueCall<Body, unknown, Name>,
    also: Also<Row>,
  ): Eventual<Result<Row, Problem>>;
}

/** The form in which a list sends its rows. */
export interface Items<Row, Value extends object> {
  /** The schema of the list. */
  readonly schema: Named<Shape<readonly Value[]>>;
  readonly example: readonly unknown[];
  show(row: Row, to: Reader): Value;
}

/** A list of the public API: 1 to 100 rows, 20 by default, newest first, in pages by `cursor`. */
export interface ListOnPublic<Row = unknown> extends OnPublic {
  /** In the order in which cursors are bound to them. */
  readonly filters: Parameters;
  /** Default: the operation's own. */
  readonly items?: Items<Row, object>;
}

/** A list of the management API: 1 to 1,000 rows, 100 by default, in pages by `after`; or all rows at once. */
export interface ListOnManagement extends OnManagement {
  readonly filters: Parameters;
  readonly pages: Pages | "all";
  /** Default: the operation's own. */
  readonly example?: readonly unknown[];
}

interface Pages {
  /** The order by id, or the parameter that chooses it. */
  readonly order: NonNullable<Page["order"]> | Defaulted<"oldest" | "newest">;
  readonly after: Parameter<number>;
}

interface Identified {
  readonly id: number;
}

/** The rows that a list selects. */
export type Selected<Row extends Identified> = Pick<
  List<Row, unknown>,
  "rows" | "count" | "texts" | "etag" | "day"
>;

/** The most rows that are read at once. */
export const MAX_ROWS = 1_000;

/** Reads all rows of a list, oldest first. */
export async function allRows<Row extends Identified>(
  read: (page: Page) => Eventual<readonly Row[]>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (;;) {
    const page = await read({ limit: MAX_ROWS, order: "asc", after: found.at(-1)?.id ?? 0 });
    found.push(...page);
    if (page.length < MAX_ROWS) return found;
  }
}

/** A list in one catalogue, which both APIs offer. */
export interface ListOperation<
  Row extends Identified = Identified,
  Value extends object = object,
  Query = unknown,
  Name extends string = string,
> extends Texts {
  readonly path: string;
  readonly public?: ListOnPublic<Row>;
  readonly management?: ListOnManagement;
  readonly items: Items<Row, Value>;
  /** Selects rows; `Query` has the filters of all APIs. */
  select(
    context: CatalogueContext,
    call: CatalogueCall<undefined, Query, Name>,
  ): Eventual<Result<Selected<Row>, Problem>>;
}

/** An operation or a list, as the APIs read it. */
export type Mountable = Operation | ListOperation;

export function isList(declared: Mountable): declared is ListOperation {
  return "select" in declared;
}

/** Returns the status of a success. */
export function statusOf({ creates, output }: Operation): 200 | 201 | 204 {
  if (output === undefined) return 204;
  return creates === true ? 201 : 200;
}

/** Returns the ids of a call by the names of the path's parameters. `idOf` reads one of them. */
export function idsIn(
  path: string,
  idOf: (name: string) => number,
): Readonly<Record<string, number>> {
  const ids: Record<string, number> = {};
  for (const [, name = ""] of path.matchAll(/:(\w+)/g)) ids[name] = idOf(name);
  return ids;
}

/** Returns a path with its parameters filled in. */
export function filledPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? "");
}

/** Whether an API can read what the operation creates, so that its response has a `Location`. */
export function isLocated(
  { path, creates }: Operation,
  others: readonly Mountable[],
  api: "public" | "management",
): boolean {
  const reads = (one: Mountable): boolean =>
    !isList(one) &&
    one.method === "GET" &&
    one.path.startsWith(`${path}/:`) &&
    !one.path.includes("/", path.length + 2) &&
    one[api] !== undefined;
  return creates === true && others.some(reads);
}

/** Carries the types of an operation in each API, `never` where it is absent; never present. */
export interface TypedFor<Public, Management> {
  readonly "~public"?: Public;
  readonly "~management"?: Management;
}

/** The operations of the public API among `Each`. */
export type PublicTypes<Each> =
  Each extends TypedFor<infer Own extends OperationTypes, unknown> ? Own : never;

/** The operations of the management API among `Each`. */
export type ManagementTypes<Each> =
  Each extends TypedFor<unknown, infer Own extends OperationTypes> ? Own : never;

export interface Types<Method, Path, Query, Body, Value> {
  readonly method: Method;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly output: Value;
}

type WithIds<Path extends string> = Path extends `${infer Start}:${infer Name}/${infer Rest}`
  ? `${Start}:${Name}Id/${WithIds<Rest>}`
  : Path extends `${infer Start}:${infer Name}`
    ? `${Start}:${Name}Id`
    : Path;

type PublicPath<Path extends string, On> = On extends { readonly path: infer Own extends string }
  ? Own
  : WithIds<Path>;

type InCatalogue<Path extends string> = `/accounts/:account/:environment${Path}`;

/** Declares an operation once, for the APIs that it names. */
// @__NO_SIDE_EFFECTS__
export function operation<
  const Method extends Declared["method"],
  const Path extends string,
  Body = undefined,
  Row = undefined,
  Value = undefined,
  const Public extends OnPublic = never,
  const Management extends OnManagement = never,
>(
  declared: Operation<Row, Value, Body, NamesIn<Path>> & {
    readonly method: Method;
    readonly path: Path;
    readonly public?: Public;
    readonly management?: Management;
  },
): Operation<Row, Value, Body> &
  TypedFor<
    Public extends OnPublic
      ? Types<Method, PublicPath<Path, Public>, Record<never, never>, Body, Value>
      : never,
    Management extends OnManagement
      ? Types<Method, InCatalogue<Path>, Record<never, never>, BodyOf<Management, Body>, Value>
      : never
  > {
  return declared;
}

type BodyOf<On, Body> = On extends { readonly body: Schema<infer Own> } ? Own : Body;

/** Declares a list once, for the APIs that it names. */
// @__NO_SIDE_EFFECTS__
export function list<
  const Path extends string,
  Row extends Identified,
  Value extends object,
  const Public extends ListOnPublic<Row> = never,
  const Management extends ListOnManagement = never,
>(
  declared: ListOperation<
    Row,
    Value,
    QueryOf<FiltersOf<Public> & FiltersOf<Management>>,
    NamesIn<Path>
  > & {
    readonly path: Path;
    readonly public?: Public;
    readonly management?: Management;
  },
): ListOperation<Row, Value> &
  TypedFor<
    Public extends ListOnPublic<Row>
      ? Types<
          "GET",
          PublicPath<Path, Public>,
          Public["filters"] & typeof listParameters,
          undefined,
          ListOf<Public, Value>
        >
      : never,
    Management extends ListOnManagement
      ? Types<
          "GET",
          InCatalogue<Path>,
          Management["filters"] & PagesQuery<Management["pages"]>,
          undefined,
          readonly Value[]
        >
      : never
  > {
  return declared;
}

type FiltersOf<On extends { readonly filters: Parameters }> = [On] extends [never]
  ? Record<never, never>
  : On["filters"];

type ListOf<On, Value> = On extends { readonly items: Items<never, infer Own> }
  ? readonly Own[]
  : readonly Value[];

type PagesQuery<On> = On extends { readonly after: infer After }
  ? { readonly after: After; readonly limit: Defaulted<number> } & OrderOf<On>
  : unknown;

type OrderOf<On> = On extends { readonly order: infer Order extends Parameter }
  ? { readonly order: Order }
  : unknown;
