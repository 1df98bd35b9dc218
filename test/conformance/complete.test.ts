import { beforeAll, describe, expect, test } from "bun:test";

import { problems, type ProblemCode } from "../../lib/base/problem.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { sources } from "./case.ts";
import { inProcess, type Witness } from "./in-process.ts";
import { operations } from "./operations.ts";
import { table } from "./table.ts";

/** Codes that no request to the core can bring about, and why. */
const unreachable: Partial<Record<ProblemCode, string>> = {
  address_not_allowed: "keys carry no list of addresses yet",
  https_required: "decided by the host before the core is asked",
};

/** What the document promises in `operationId status`, and what was seen of it. */
const documented = new Set<string>();
const seen = new Set<string>();
const codes = new Set<string>();

const paths = operations.map(({ operationId, method, path }) => ({
  operationId,
  method,
  pattern: new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

describe("the table", () => {
  beforeAll(async () => {
    const pending: Promise<void>[] = [];
    const witness: Witness = (request, response) => {
      const { pathname } = new URL(request.url);
      const found = paths.find(
        ({ method, pattern }) => method === request.method && pattern.test(pathname),
      );
      if (found !== undefined) seen.add(`${found.operationId} ${response.status}`);
      if (response.status < 400 || request.method === "HEAD") return;
      const read = async (copy: Response): Promise<void> => {
        codes.add(((await copy.json()) as { readonly code: string }).code);
      };
      pending.push(read(response.clone()));
    };
    for (const { needs, run } of table) {
      if (needs === "socket") continue;
      const { env, close } = inProcess(memoryStore(), witness);
      await run(env);
      await close();
    }
    await Promise.all(pending);

    const { env, close } = inProcess(memoryStore());
    const { body } = await env.anyone.get<{
      readonly paths: Record<
        string,
        Record<string, { readonly operationId: string; readonly responses: object }>
      >;
    }>("/v1/openapi.json");
    for (const { operationId, responses } of Object.values(body.paths).flatMap(Object.values)) {
      for (const status of Object.keys(responses)) documented.add(`${operationId} ${status}`);
    }
    await close();
  });

  test("has a case for every place that promises something", () => {
    const promised = new Set<string>(table.map(({ source }) => source));
    expect(sources.filter((source) => !promised.has(source))).toEqual([]);
  });

  test("calls each of its cases by a name of its own", () => {
    const names = table.map(({ id }) => id);
    expect(names.filter((id, index) => names.indexOf(id) !== index)).toEqual([]);
    const sentences = table.map(({ sentence }) => sentence);
    expect(sentences.filter((text, index) => sentences.indexOf(text) !== index)).toEqual([]);
  });

  test("brings about every error code but those that cannot be", () => {
    const missing = Object.keys(problems).filter((code) => !codes.has(code));
    expect(missing.toSorted()).toEqual(Object.keys(unreachable).toSorted());
  });

  test("brings about every status that the description gives an operation", () => {
    expect([...documented].filter((one) => !seen.has(one)).toSorted()).toEqual([]);
  });

  test("brings about no status that the description does not give the operation", () => {
    const undocumented = [...seen].filter((one) => !documented.has(one));
    expect(undocumented.toSorted()).toEqual([]);
  });
});
