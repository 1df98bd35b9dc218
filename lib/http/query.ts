import type { Problem } from "../base/problem.ts";
import { done, type Result } from "../base/result.ts";
import { MAX_ID } from "../catalogue/model.ts";
import {
  booleanParameter,
  choiceParameter,
  idsParameter,
  integerParameter,
  readParameters,
  type NamedParameter,
} from "./parameters.ts";

/** The checked query parameters of the public API; absent ones are absent. */
export interface Query {
  readonly limit?: number;
  readonly sort?: string;
  readonly cursor?: string;
  readonly count?: boolean;
  readonly id?: readonly number[];
  readonly status?: string;
  readonly categoryId?: number;
  readonly petId?: number;
}

const ids = idsParameter("Only the animals with these ids: up to 100, separated by commas.");
const { minItems: _minItems, ...idsJson } = ids.json;

/** The query parameters of the public API. */
export const parameters: {
  readonly limit: NamedParameter;
  readonly cursor: NamedParameter;
  readonly sort: NamedParameter;
  readonly count: NamedParameter;
  readonly ids: NamedParameter;
  readonly id: (name: keyof Query, description: string) => NamedParameter;
  readonly choice: (
    name: keyof Query,
    description: string,
    choices: readonly string[],
  ) => NamedParameter;
} = {
  limit: {
    name: "limit",
    ...integerParameter("Maximum number of items returned.", {
      minimum: 1,
      maximum: 100,
      fallback: 20,
    }),
  },
  cursor: {
    name: "cursor",
    description: "Where a page begins, as found in the `Link` header. Opaque.",
    json: { type: "string", minLength: 1 },
    rule: "must be taken from a Link header",
    read: (text) => (text === "" ? undefined : text),
  },
  sort: {
    name: "sort",
    ...choiceParameter("`-id` is newest first, `id` is oldest first.", ["-id", "id"], "-id"),
  },
  count: {
    name: "count",
    ...booleanParameter("`true` adds the number of all matching items as `X-Total-Count`.", false),
  },
  ids: { name: "id", ...ids, json: idsJson },
  id: (name, description) => ({
    name,
    ...integerParameter(description, { minimum: 1, maximum: MAX_ID }),
  }),
  choice: (name, description, choices) => ({ name, ...choiceParameter(description, choices) }),
};

/** Reads the query of a public operation. */
export function readQuery(text: string, known: readonly NamedParameter[]): Result<Query, Problem> {
  const read = readParameters(text, known);
  // Each parameter reads the type of its name in `Query`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return read.ok ? done(read.value as Query) : read;
}
