import { MAX_SUBPROBLEMS, type ProblemDocument } from "../model/acme-problem.ts";
import { fields, fieldsIn, objects, text, type Fields } from "./read-json.ts";

const PREFIX = "urn:ietf:params:acme:error:";

/** The problem that a body tells of; undefined when it is not even JSON. */
export function documentIn(body: Uint8Array): ProblemDocument | undefined {
  const found = fieldsIn(body);
  return found && readProblem(found);
}

/** The problem in an object of an answer, such as the `error` of a challenge. */
export function readProblem(found: Fields): ProblemDocument {
  const parts = objects(found["subproblems"], MAX_SUBPROBLEMS);
  return { ...readPart(found), subproblems: parts.map(readSubproblem) };
}

function readSubproblem(found: Fields): ProblemDocument & { readonly name?: string } {
  const name = text(fields(found["identifier"])?.["value"]);
  return { ...readPart(found), ...(name !== undefined && { name }) };
}

function readPart(found: Fields): ProblemDocument {
  const type = text(found["type"]);
  const detail = text(found["detail"]);
  const instance = text(found["instance"]);
  return {
    ...(type !== undefined && { type: type.startsWith(PREFIX) ? type.slice(PREFIX.length) : type }),
    ...(detail !== undefined && { detail }),
    ...(instance !== undefined && { instance }),
  };
}
