/** The JSON Schema subset of our OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
}

export type Place = "path" | "query" | "header";

export interface Parameter {
  readonly name: string;
  readonly in: Place;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Header {
  readonly $ref?: string;
  readonly description: string;
  readonly schema: Schema;
}

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  /** The removal date: `2030-12-05`. */
  readonly "x-deprecated-sunset"?: string;
  readonly "x-stability"?: string;
  readonly "x-hideTryItPanel"?: boolean;
  /** Empty if the operation needs no credential. */
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface Description {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license?: { readonly name: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Default: one group of all tags. */
  readonly "x-tagGroups"?: readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The requests that the service sends, by the type of their event. */
  readonly webhooks?: Readonly<
    Record<string, { readonly post: Pick<Operation, "description" | "requestBody"> }>
  >;
  readonly components: {
    readonly securitySchemes: Readonly<
      Record<string, { readonly description: string; readonly bearerFormat?: string }>
    >;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** Returns the last part of a reference: `Pet` for `#/components/schemas/Pet`. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
