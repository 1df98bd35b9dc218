import { problem, problems, type Problem, type ProblemCode } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { nextLink } from "../client/link.ts";
import type { InputArguments, InputOf, ItemOf, ListsIn, Operations } from "../http/operation.ts";
import { fromWire, toWire } from "./wire.ts";

/** Carries a request to the service; rejects when it cannot be reached. */
export type SendRequest = (request: Request) => Promise<Response>;

/** What came cannot be an answer of the service: another server, or a proxy before it. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
  /** HTTP status. */
  readonly status: number;

  constructor(status: number, options?: ErrorOptions) {
    super(`The answer was HTTP ${status}, and not from a petstore's management API.`, options);
    this.status = status;
  }
}

/** The operations of a management API as a client. Refusals are values; a broken connection rejects. */
export interface OperationsClient<Table extends Operations> {
  /** Calls one operation by its method and path, such as `"GET /accounts/:account/keys"`. */
  readonly call: <Name extends keyof Table & string>(
    operation: Name,
    ...input: InputArguments<Table[Name]>
  ) => Promise<Result<Table[Name]["output"], Problem>>;
  /** Reads all pages of a list. */
  readonly all: <Name extends ListsIn<Table>>(
    operation: Name,
    ...input: InputArguments<Table[Name]>
  ) => Promise<Result<readonly ItemOf<Table[Name]["output"]>[], Problem>>;
  /** Sends a request whose body or answer is not JSON; resolves with the response, unread. */
  readonly open: <Name extends keyof Table & string>(
    operation: Name,
    input: Omit<InputOf<Table[Name]>, "body">,
    init: RequestInit,
  ) => Promise<Response>;
}

/** What `requestOf` reads of any operation's input. */
type AnyInput = Readonly<Record<string, unknown>> & { readonly query?: object };

/** Returns the address below the API of an operation, with its query. */
export function addressOf<Table extends Operations, Name extends keyof Table & string>(
  operation: Name,
  input: Omit<InputOf<Table[Name]>, "body">,
): string {
  const { path, query } = requestOf(operation, input);
  return path + search(query);
}

function requestOf(operation: string, { query, body, ...names }: AnyInput = {}): Asked {
  const space = operation.indexOf(" ");
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every operation begins with its method
    method: operation.slice(0, space) as Asked["method"],
    path: operation
      .slice(space + 1)
      .replaceAll(/:(\w+)/g, (_whole, name: string) => segment(String(names[name]))),
    ...(query === undefined ? {} : { query }),
    body,
  };
}

/** The client of the management API at `base`. `Table` is an `OperationsOf`, so no endpoint is imported at run time. */
export function operationsClient<Table extends Operations>(
  send: SendRequest,
  base: string,
): OperationsClient<Table> {
  const { ask, all, open } = caller(send, base);
  // The declaration of the operation fixes what it answers with.
  return {
    call: (operation, ...[input]) => ask(requestOf(operation, input)),
    all: (operation, ...[input]) => all(requestOf(operation, input)),
    open: (operation, input, init) => open(requestOf(operation, input), init),
  };
}

/** One thing asked of the management API. */
export interface Asked {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below `/manage/v1`, as `at` makes it. */
  readonly path: string;
  /** What is undefined is left out. */
  readonly query?: object;
  readonly body?: unknown;
}

export interface Caller {
  /** Resolves with what the answer holds; undefined when it holds nothing. */
  readonly ask: <Value>(asked: Asked) => Promise<Result<Value, Problem>>;
  /** Resolves with the items of all pages of a list. */
  readonly all: <Item>(asked: Asked) => Promise<Result<readonly Item[], Problem>>;
  /** Sends a request that is more than JSON; resolves with what was answered, unread. */
  readonly open: (asked: Asked, init: RequestInit) => Promise<Response>;
}

/** Speaks JSON to the API at `base`, as `https://pets.example.org/manage/v1`. */
export function caller(send: SendRequest, base: string): Caller {
  const open: Caller["open"] = ({ method, path, query }, init) =>
    send(new Request(base + path + search(query), { ...init, method }));
  const exchange = (asked: Asked): Promise<Response> =>
    open(asked, {
      headers: {
        accept: "application/json",
        ...(asked.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(toWire(asked.body)) }),
    });

  return {
    open,
    ask: async <Value>(asked: Asked) => readAnswer<Value>(await exchange(asked)),
    all: async <Item>(asked: Asked): Promise<Result<readonly Item[], Problem>> => {
      const items: Item[] = [];
      let next: Asked | undefined = asked;
      while (next !== undefined) {
        const response: Response = await exchange(next);
        const page: Result<readonly Item[], Problem> = await readAnswer(response);
        if (!page.ok) return page;
        if (!Array.isArray(page.value)) throw new UnexpectedAnswer(response.status);
        items.push(...page.value);
        const link = nextLink(response.headers.get("link"));
        // Of the link only the query is taken: the token goes nowhere but where the caller sent it.
        next = link === undefined ? undefined : { ...asked, query: queryOf(link, base) };
      }
      return done(items);
    },
  };
}

/** A path whose values are one segment each, whatever they hold. */
export function at(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(segment));
}

/** The value of an answer, or its refusal. */
export async function readAnswer<Value>(response: Response): Promise<Result<Value, Problem>> {
  const { status, headers } = response;
  const text = await response.text();
  // Nobody reads the value of an answer that holds none.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (status === 204) return done(undefined as Value);
  let body: unknown;
  try {
    body = fromWire(JSON.parse(text));
  } catch (cause) {
    throw new UnexpectedAnswer(status, { cause });
  }
  // The service's own types: its answers are made of them by `toWire`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (response.ok) return done(body as Value);
  const told = problemOf(body, headers);
  if (told === undefined) throw new UnexpectedAnswer(status);
  return refused(told);
}

/** The refusal that an Error body tells; undefined for anything else. */
export function problemOf(body: unknown, headers?: Headers): Problem | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { code, message, status, errors }: Readonly<Record<string, unknown>> = { ...body };
  if (typeof message !== "string" || typeof code !== "string") return undefined;
  const seconds = headers?.get("retry-after") ?? "";
  return problem(knownCode(code, Number(status)), message, {
    // The service's own shape of the errors of a body.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(Array.isArray(errors) ? { errors: errors as NonNullable<Problem["errors"]> } : {}),
    ...(/^\d{1,9}$/.test(seconds) ? { retryAfterSeconds: Number(seconds) } : {}),
  });
}

/** A code of a later version is taken for one of the same status. */
function knownCode(code: string, status: number): ProblemCode {
  const known = Object.entries(problems);
  const found =
    known.find(([name]) => name === code) ?? known.find(([, one]) => one.status === status);
  // A name of the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (found?.[0] ?? "internal_error") as ProblemCode;
}

/** An empty one and dots would make another address; nothing has such an id. */
function segment(value: string): string {
  return /^\.{0,2}$/.test(value) ? "~" : encodeURIComponent(value);
}

function search(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return parameters.size === 0 ? "" : `?${parameters}`;
}

function queryOf(link: string, base: string): object {
  return Object.fromEntries(new URL(link, base).searchParams);
}
