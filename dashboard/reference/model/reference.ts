import { problems, type ProblemCode } from "../../../lib/base/problem.ts";
import {
  nameIn,
  type Description,
  type Header,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from "./description.ts";
import { exampleOf } from "./words.ts";

/** A response of an operation. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  /** The error codes with this status. */
  readonly codes: readonly ProblemCode[];
  readonly headers: readonly (readonly [name: string, header: Header])[];
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** An operation with its address and all references resolved. */
export interface ReferenceOperation {
  readonly id: string;
  readonly method: string;
  /** Relative to the API, with placeholders: `/pets/{petId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** The removal date: `2030-12-05`. */
  readonly sunset?: string;
  readonly stability?: string;
  /** Whether the page shows a try-it panel. */
  readonly tryable: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema; readonly example: unknown };
  readonly answers: readonly Answer[];
}

/** The operations of a tag, possibly none. */
export interface TagSection {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

/** A group of the navigation. A group without tags has one empty section of its name. */
export interface Group {
  readonly name: string;
  readonly sections: readonly TagSection[];
}

/** The document in reading order. */
export interface Reference {
  readonly description: Description;
  readonly groups: readonly Group[];
  readonly operations: readonly ReferenceOperation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

export function referenceOf(description: Description): Reference {
  const { schemas } = description.components;
  const tagged = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tags: operation.tags,
      operation: operationOf(description, path, method.toUpperCase(), operation),
    })),
  );
  const section = (name: string): TagSection => ({
    name,
    description: description.tags.find((tag) => tag.name === name)?.description ?? "",
    operations: tagged.filter(({ tags }) => tags.includes(name)).map((one) => one.operation),
  });
  return {
    description,
    groups: description["x-tagGroups"].map(({ name, tags }) => ({
      name,
      sections: (tags.length === 0 ? [name] : tags).map(section),
    })),
    operations: tagged.map(({ operation }) => operation),
    schemas,
  };
}

function operationOf(
  description: Description,
  path: string,
  method: string,
  operation: Operation,
): ReferenceOperation {
  const { schemas } = description.components;
  const { "x-stability": stability, "x-deprecated-sunset": sunset } = operation;
  const body = operation.requestBody?.content["application/json"];
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    description: operation.description,
    deprecated: operation.deprecated === true,
    ...(sunset === undefined ? {} : { sunset }),
    ...(stability === undefined ? {} : { stability }),
    tryable: operation["x-hideTryItPanel"] !== true,
    parameters: operation.parameters,
    ...(body === undefined
      ? {}
      : {
          body: { schema: body.schema, example: body.example ?? exampleOf(body.schema, schemas) },
        }),
    answers: Object.entries(operation.responses).map(([status, response]) =>
      answerOf(description, Number(status), response),
    ),
  };
}

function answerOf({ components }: Description, status: number, written: Response): Answer {
  const shared = written.$ref === undefined ? {} : components.responses[nameIn(written.$ref)];
  const { description, headers = {}, content = {} }: Response = { ...shared, ...written };
  const codes = status < 400 ? [] : codesIn(description);
  const [code] = codes;
  const json = content["application/json"];
  return {
    status,
    description,
    codes,
    headers: Object.entries(headers).map(([name, { $ref, ...header }]) => {
      const found = $ref === undefined ? undefined : components.headers[nameIn($ref)];
      return [name, found ?? header];
    }),
    ...(json === undefined
      ? {}
      : {
          schema: json.schema,
          // The document has one example per status; this one uses an error code of the operation.
          example:
            code === undefined
              ? (json.example ?? exampleOf(json.schema, components.schemas))
              : { code, message: `${problems[code].title}.`, status },
        }),
  };
}

function codesIn(description: string): readonly ProblemCode[] {
  return Array.from(description.matchAll(/`(\w+)`/g), ([, name = ""]) => name).filter(isCode);
}

function isCode(name: string): name is ProblemCode {
  return Object.hasOwn(problems, name);
}
