import type { Parameters, SentQueryOf } from "./parameters.ts";

/** The types of one operation, as a client sees them. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: Parameters;
  readonly body: unknown;
  readonly output: unknown;
}

/** The names of a path's parameters: `"account" | "key"` for `/accounts/:account/keys/:key`. */
export type NamesIn<Path extends string> = string extends Path
  ? string
  : Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | NamesIn<`/${Rest}`>
    : Path extends `${string}:${infer Name}`
      ? Name
      : never;

/** The operations of a table of endpoints by method and path: `"GET /accounts/:account/keys"`. */
export type OperationsOf<Endpoints extends readonly unknown[]> = {
  readonly [Each in SignatureOf<Endpoints[number]> as `${Each["method"]} ${Each["path"]}`]: Each;
};

type SignatureOf<Endpoint> = Endpoint extends {
  readonly "~operation"?: infer Each extends Operation;
}
  ? Each
  : never;

/** The types of operations by method and path. */
export type Operations = Readonly<Record<string, Operation>>;

/** The input of a client's call: the parameters of the path by name, `query`, and `body` where there is one. */
export type InputOf<Each extends Operation> = Readonly<Record<NamesIn<Each["path"]>, string>> & {
  readonly query?: SentQueryOf<Each["query"]>;
} & BodyInput<Each["body"]>;

type BodyInput<Body> = [Body] extends [undefined]
  ? { readonly body?: never }
  : Record<never, never> extends Body
    ? { readonly body?: Sent<Body> }
    : { readonly body: Sent<Body> };

/** Optional members may be undefined, because JSON omits them. */
type Sent<Body> = {
  readonly [Name in keyof Body]: Record<never, never> extends Pick<Body, Name>
    ? Body[Name] | undefined
    : Body[Name];
};

/** The input as arguments: optional if nothing in it is required. */
export type InputArguments<Each extends Operation> =
  Record<never, never> extends InputOf<Each> ? [input?: InputOf<Each>] : [input: InputOf<Each>];

/** The names of the operations that answer with a list. */
export type ListsIn<Table extends Operations> = {
  [Name in keyof Table]: Table[Name]["output"] extends readonly unknown[] ? Name : never;
}[keyof Table] &
  string;

/** The items of a list. */
export type ItemOf<Output> = Output extends readonly (infer Item)[] ? Item : never;
