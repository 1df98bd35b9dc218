import { expect, test } from "bun:test";

import { done } from "../../../lib/base/result.ts";
import { shape, text, whole } from "../../../lib/base/shape.ts";
import { encode } from "../../../lib/http/answer.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { integerParameter } from "../../../lib/http/parameters.ts";
import { keyWith } from "../../../lib/http/public-endpoint.ts";

const declared = {
  operationId: "any",
  method: "GET",
  path: "/boards/:board",
  access: keyWith("pets:read"),
  summary: "Any",
  description: "Any.",
  query: { depth: integerParameter("Depth.") },
  refusals: [],
} as const;
const success = {
  status: 200,
  description: "A board.",
  schema: shape("Board", { name: text(), depth: whole() }),
} as const;

test("`run` gets the types of its parameters and its caller, and returns JSON of the declared shape", () => {
  const found = endpoint({
    ...declared,
    success,
    run: ({ params, query, caller }) => {
      const name: string = params.board + caller.actor.id;
      const depth: number | undefined = query.depth;
      return done({ status: 200, body: encode({ name, depth: depth ?? 0 }) });
    },
  });
  expect(found.parameters.map(({ name }) => name)).toEqual(["depth"]);
  expect(found.access.scope).toBe("pets:read");
});

test("`run` cannot return text, another shape or nothing, nor read a parameter that is not declared", () => {
  const mistakes = [
    // @ts-expect-error: a text that no value was encoded to.
    endpoint({ ...declared, success, run: () => done({ status: 200, body: "{}" }) }),
    endpoint({
      ...declared,
      success,
      // @ts-expect-error: a member is missing.
      run: () => done({ status: 200, body: encode({ name: "" }) }),
    }),
    // @ts-expect-error: no body.
    endpoint({ ...declared, success, run: () => done({ status: 200 }) }),
    endpoint({
      ...declared,
      success: { status: 204, description: "Nothing." },
      // @ts-expect-error: the path has no such parameter.
      run: ({ params }) => done({ status: params.pet === "" ? 204 : 204 }),
    }),
  ];
  expect(mistakes).toHaveLength(4);
});
