import { expect } from "bun:test";

import { problems, type ProblemCode } from "../../lib/base/problem.ts";
import type { Pet, PetStatus } from "../../lib/catalogue/model.ts";
import type { Api, Extra, Reply } from "../helpers/api.ts";

/** The body of a refusal. */
export interface ErrorBody {
  readonly code: ProblemCode;
  readonly message: string;
  readonly status: number;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
}

/** Fails unless the response is exactly the refusal `code`: status, body and headers. */
export function expectProblem(reply: Reply<unknown>, code: ProblemCode): ErrorBody {
  const body = reply.body as ErrorBody;
  expect({ status: reply.status, code: body?.code }).toEqual({
    status: problems[code].status,
    code,
  });
  expect(body.status).toBe(reply.status);
  expect(body.message).toBeString();
  expect(body.message).not.toBe("");
  const members = Object.keys(body).filter((name) => name !== "errors");
  expect(members.toSorted()).toEqual(["code", "message", "status"]);
  if (body.errors !== undefined) expect(body.status).toBe(400);
  expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expectLimitHeaders(reply);
  return body;
}

/** The values of the three limit headers. */
export interface LimitNumbers {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/** Returns the three headers; fails if one is missing or not an integer. */
export function expectLimitHeaders({ headers }: Reply<unknown>): LimitNumbers {
  const number = (name: string): number => {
    const text = headers.get(name) ?? "";
    expect(`${name}: ${text}`).toMatch(/: \d+$/);
    return Number(text);
  };
  return {
    limit: number("x-ratelimit-limit"),
    remaining: number("x-ratelimit-remaining"),
    reset: number("x-ratelimit-reset"),
  };
}

/** Creates an animal. Fails if refused. */
export async function addPet(api: Api, fields: Partial<Pet> = {}): Promise<Pet> {
  const reply = await api.post<Pet>("/v1/pets", { name: "Rex", categoryId: 1, ...fields });
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Creates `count` animals one after the other; returns them oldest first. */
export async function addPets(
  api: Api,
  count: number,
  fields: Partial<Pet> = {},
): Promise<readonly Pet[]> {
  const pets: Pet[] = [];
  for (let index = 0; index < count; index++) {
    pets.push(await addPet(api, { name: `Rex ${index + 1}`, ...fields }));
  }
  return pets;
}

/** Sets the status of an animal. Fails if refused. */
export async function become(api: Api, id: number, status: PetStatus): Promise<void> {
  expect((await api.patch(`/v1/pets/${id}`, { status })).status).toBe(200);
}

/** Creates a category and returns its id. Fails if refused. */
export async function addCategory(api: Api, name: string): Promise<number> {
  const reply = await api.post<{ readonly id: number }>("/v1/categories", { name });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

/** Returns the targets of a `Link` header by relation. */
export function links({ headers }: Reply<unknown>): Readonly<Record<string, string>> {
  const header = headers.get("link") ?? "";
  const found = header.matchAll(/<([^>]*)>;\s*rel="([^"]*)"/g);
  return Object.fromEntries(
    Array.from(found, ([, target = "", relation = ""]) => [relation, target]),
  );
}

/** Returns the path and query of a URL. */
export function pathOf(address: string | undefined): string {
  if (address === undefined) throw new Error("there is no such link");
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Returns all pages from `path` on, by following `next`. */
export async function walk<Row>(api: Api, path: string, extra?: Extra): Promise<readonly Row[][]> {
  const pages: Row[][] = [];
  let at: string | undefined = path;
  while (at !== undefined) {
    const reply: Reply<Row[]> = await api.get<Row[]>(at, extra);
    expect(reply.status).toBe(200);
    pages.push(reply.body);
    const { next } = links(reply);
    at = next === undefined ? undefined : pathOf(next);
  }
  return pages;
}

/** Returns only the ids. */
export function ids(rows: readonly { readonly id: number }[]): readonly number[] {
  return rows.map(({ id }) => id);
}
