import { aFunction, aText, checkOptions, optional } from "../base/options.ts";
import { MAX_WAIT_SECONDS, retryAfterSecondsIn } from "../base/retry-after.ts";
import { segment } from "../base/segment.ts";
import { problem, problems, type Problem, type ProblemCode } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { nextLink } from "../client/link.ts";
import type { InputArguments, InputOf, ItemOf, ListsIn, Operations } from "../http/operation.ts";
import type { ManagementOperations } from "./endpoints.ts";
import { fromWire, toWire } from "../base/wire.ts";

/** Sends a request to the service; rejects if the service cannot be reached. */
export type SendRequest = (request: Request) => Promise<Response>;

/** The response did not come from a management API, but for example from a proxy in front of it. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
  /** HTTP status. */
  readonly status: number;

  constructor(status: number, options?: ErrorOptions) {
    super(`The answer was HTTP ${status}, and not from a petstore's management API.`, options);
    this.status = status;
  }
}

/** Options of the client of the management API. */
export interface ManagementClientOptions {
  /**
   * Sends a request with the caller's credential; rejects if the service cannot be reached. A body that is a stream
   * can be sent only once.
   */
  readonly send: SendRequest;
  /**
   * Address of the API, such as `https://pets.example.org/manage/v1`. Default: `http://localhost/manage/v1`, for a
   * `send` that ignores the host.
   */
  readonly base?: string;
}

/**
 * The operations of a management API, typed by a table of operations. Refusals are values. Rejects if the service
 * cannot be reached, and with `UnexpectedAnswer` if another server answers. Instants are milliseconds since the Unix
 * epoch in inputs and outputs, except in `query`, which is sent as it is.
 */
export interface ManagementClient<Table extends Operations = ManagementOperations> {
  /** Calls an operation by its method and path, such as `"GET /accounts/:account/keys"`. */
  readonly call: <Name extends keyof Table & string>(
    operation: Name,
    ...input: InputArguments<Table[Name]>
  ) => Promise<Result<Table[Name]["output"], Problem>>;
  /** Reads all pages of a list. */
  readonly all: <Name extends ListsIn<Table>>(
    operation: Name,
    ...input: InputArguments<Table[Name]>
  ) => Promise<Result<readonly ItemOf<Table[Name]["output"]>[], Problem>>;
  /** Reads one page of a list: its items, and the query for the next page if there is one. */
  readonly page: <Name extends ListsIn<Table>>(
    operation: Name,
    ...input: InputArguments<Table[Name]>
  ) => Promise<Result<ListPage<ItemOf<Table[Name]["output"]>>, Problem>>;
  /** Sends a request whose body or response is not JSON; resolves with the unread response. */
  readonly open: <Name extends keyof Table & string>(
    operation: Name,
    input: Omit<InputOf<Table[Name]>, "body">,
    init: RequestInit,
  ) => Promise<Response>;
}

/** One page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The `query` of the next page; absent on the last one. */
  readonly next?: Readonly<Record<string, string>>;
}

/**
 * Creates a client of the management API. `Table` defaults to the operations of `petstore/management`; name a table
 * with those of members and domains if the service has them, such as `PetstoreOperations` of `petstore/domains`. Throws
 * a `TypeError` for invalid options.
 */
export function managementClient<Table extends Operations = ManagementOperations>(
  options: ManagementClientOptions,
): ManagementClient<Table> {
  checkOptions("managementClient", options, { send: aFunction, base: optional(aText) });
  return clientOf(options);
}

/** Creates a client without checking the options, for code that the compiler checks: the dashboard's first page is small. */
export function clientOf<Table extends Operations = ManagementOperations>({
  send,
  base = "http://localhost/manage/v1",
}: ManagementClientOptions): ManagementClient<Table> {
  const open = ({ method, path, query }: Asked, init: RequestInit): Promise<Response> =>
    send(new Request(base + path + search(query), { ...init, method }));
  const exchange = (asked: Asked): Promise<Response> =>
    open(asked, {
      headers: {
        accept: "application/json",
        ...(asked.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(toWire(asked.body)) }),
    });
  const pageOf = async <Item>(asked: Asked): Promise<Result<ListPage<Item>, Problem>> => {
    const response = await exchange(asked);
    const page: Result<readonly Item[], Problem> = await readAnswer(response);
    if (!page.ok) return page;
    const items = page.value;
    if (!Array.isArray(items)) throw new UnexpectedAnswer(response.status);
    const link = nextLink(response.headers.get("link"));
    // Only the query of the link is used: the token must not go to another address.
    return done(link === undefined ? { items } : { items, next: queryOf(link, base) });
  };
  return {
    call: async (operation, ...[input]) => readAnswer(await exchange(requestOf(operation, input))),
    all: async <Item>(
      operation: string,
      ...[input]: readonly [AnyInput?]
    ): Promise<Result<readonly Item[], Problem>> => {
      const asked = requestOf(operation, input);
      const items: Item[] = [];
      let next: Asked | undefined = asked;
      while (next !== undefined) {
        const page: Result<ListPage<Item>, Problem> = await pageOf(next);
        if (!page.ok) return page;
        items.push(...page.value.items);
        next = page.value.next && { ...asked, query: page.value.next };
      }
      return done(items);
    },
    page: (operation: string, ...[input]: readonly [AnyInput?]) =>
      pageOf(requestOf(operation, input)),
    open: (operation, input, init) => open(requestOf(operation, input), init),
  };
}

/** A request to the management API. */
interface Asked {
  readonly method: string;
  /** Below `base`. */
  readonly path: string;
  /** Undefined members are left out. */
  readonly query?: object;
  readonly body?: unknown;
}

/** What `requestOf` reads of any operation's input. */
type AnyInput = Readonly<Record<string, unknown>> & { readonly query?: object };

function requestOf(operation: string, { query, body, ...names }: AnyInput = {}): Asked {
  const [method = "", path = ""] = operation.split(" ");
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, (_whole, name: string) => segment(String(names[name]))),
    ...(query === undefined ? {} : { query }),
    body,
  };
}

/** Builds a path in which each value is one segment, whatever characters it has. */
export function at(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(segment));
}

/** Reads the value of a response, or its refusal. */
export async function readAnswer<Value>(response: Response): Promise<Result<Value, Problem>> {
  const { status, headers } = response;
  const text = await response.text();
  // The output of such an operation has no members.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (status === 204) return done(undefined as Value);
  let body: unknown;
  try {
    body = fromWire(JSON.parse(text));
  } catch (cause) {
    throw new UnexpectedAnswer(status, { cause });
  }
  // The service made the body from a value of this type, by `toWire`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (response.ok) return done(body as Value);
  const refusal = problemOf(body, headers);
  if (refusal === undefined) throw new UnexpectedAnswer(status);
  return refused(refusal);
}

/** Reads the refusal from an error body; undefined for any other body. */
export function problemOf(body: unknown, headers?: Headers): Problem | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { code, message, status, errors }: Readonly<Record<string, unknown>> = { ...body };
  if (typeof message !== "string" || typeof code !== "string") return undefined;
  const seconds = headers && retryAfterSecondsIn(headers, MAX_WAIT_SECONDS);
  return problem(knownCode(code, Number(status)), message, {
    // Error bodies of the service have this shape.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(Array.isArray(errors) ? { errors: errors as NonNullable<Problem["errors"]> } : {}),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  });
}

/** Replaces a code of a later version by a known one with the same status. */
function knownCode(code: string, status: number): ProblemCode {
  const known = Object.entries(problems);
  const found =
    known.find(([name]) => name === code) ?? known.find(([, one]) => one.status === status);
  // A name of the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (found?.[0] ?? "internal_error") as ProblemCode;
}

function search(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return parameters.size === 0 ? "" : `?${parameters}`;
}

function queryOf(link: string, base: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(link, base).searchParams);
}
