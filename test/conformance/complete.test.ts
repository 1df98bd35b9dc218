import { beforeAll, describe, expect, test } from "bun:test";

import { publicProblems, type ProblemCode } from "../../lib/base/problem.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { watchHeaders } from "../helpers/watch-headers.ts";
import { describing, type Description, type Document } from "../helpers/description.ts";
import { sources } from "./case.ts";
import { inProcess, type Witness } from "./in-process.ts";
import { table } from "./table.ts";

/** Codes that no request to the core can cause, and the reasons. */
const unreachable: Partial<Record<ProblemCode, string>> = {
  https_required: "decided by the host before the core is asked",
  cross_site_request: "only refused to users of a host",
};

/** The documented combinations of operation and status, and those observed. */
const documented = new Set<string>();
const seen = new Set<string>();
const codes = new Set<string>();

const faults = new Set<string>();

let sharedHeaders: ReadonlySet<string>;

function patternOf(path: string): RegExp {
  return new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

async function description(): Promise<Description> {
  const { env, close } = inProcess(memoryStore());
  const { body } = await env.anyone.get<Document>("/v1/openapi.json");
  await close();
  return describing(body);
}

describe("the conformance cases", () => {
  beforeAll(async () => {
    const { operations: described, faultOfReply } = await description();
    for (const { operationId, responses } of described) {
      for (const status of Object.keys(responses)) documented.add(`${operationId} ${status}`);
    }
    const pending: Promise<void>[] = [];
    const note = async (request: Request, response: Response): Promise<void> => {
      const { status, headers } = response;
      const { pathname } = new URL(request.url);
      const text = await response.text();
      const json = headers.get("content-type")?.startsWith("application/json") ?? false;
      const body: unknown = json ? JSON.parse(text) : undefined;
      if (json && status >= 400) codes.add((body as { readonly code: string }).code);
      const operation = described.find(
        ({ method, path }) => method === request.method && patternOf(path).test(pathname),
      );
      // Problem details are another representation of a documented response.
      if (operation === undefined || (text !== "" && !json)) return;
      seen.add(`${operation.operationId} ${status}`);
      const fault = faultOfReply(operation, { status, headers, text, body });
      if (fault !== undefined) faults.add(`${operation.operationId} ${status}: ${fault}`);
    };
    const witness: Witness = (request, response) => {
      if (request.method !== "HEAD") pending.push(note(request, response.clone()));
    };
    using watch = watchHeaders();
    for (const { needs, run } of table) {
      if (needs === "socket") continue;
      const { env, close } = inProcess(memoryStore(), witness);
      await run(env);
      await close();
    }
    sharedHeaders = watch.shared;
    await Promise.all(pending);
  });

  test("cover every promise of the specification", () => {
    const promised = new Set<string>(table.map(({ source }) => source));
    expect(sources.filter((source) => !promised.has(source))).toEqual([]);
  });

  test("have unique names", () => {
    const names = table.map(({ id }) => id);
    expect(names.filter((id, index) => names.indexOf(id) !== index)).toEqual([]);
    const sentences = table.map(({ sentence }) => sentence);
    expect(sentences.filter((text, index) => sentences.indexOf(text) !== index)).toEqual([]);
  });

  test("cause every error code except the impossible ones", () => {
    const missing = Object.keys(publicProblems).filter((code) => !codes.has(code));
    expect(missing.toSorted()).toEqual(Object.keys(unreachable).toSorted());
  });

  test("cause every status in the OpenAPI document for every operation", () => {
    // A request with another method does not count for the operation.
    const possible = [...documented].filter((one) => !one.endsWith(" 405"));
    expect(possible.filter((one) => !seen.has(one)).toSorted()).toEqual([]);
  });

  test("cause no status that the OpenAPI document lacks for its operation", () => {
    const undocumented = [...seen].filter((one) => !documented.has(one));
    expect(undocumented.toSorted()).toEqual([]);
  });

  test("get no response whose body or headers differ from the OpenAPI document", () => {
    expect([...faults].toSorted()).toEqual([]);
  });

  test("get no response that shares its headers object with another one", () => {
    expect([...sharedHeaders]).toEqual([]);
  });
});
