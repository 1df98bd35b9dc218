import type { PetstoreClient } from "../domains/operations.ts";
import { nearest } from "../lib/base/nearest.ts";
import type { Problem } from "../lib/base/problem.ts";
import { refused, type Result } from "../lib/base/result.ts";
import { quoted } from "../settings/values.ts";

/** Something that has the name or ID by which a command refers to it, and other texts by which people know it. */
interface Candidate {
  readonly typed: string;
  readonly known?: string;
}

/** The parameters of an operation's path. */
type Path = Readonly<Record<string, string>>;

interface Noun {
  /** Matches the refusals of the API. */
  readonly pattern: RegExp;
  readonly name: string;
  /** The path parameter with its ID. */
  readonly parameter: string;
  /** Returns what the caller may see, or what was known by then. */
  readonly candidates: (client: PetstoreClient, path: Path) => Promise<readonly Candidate[]>;
}

const nouns: readonly Noun[] = [
  {
    pattern: /\bsuch account\b/,
    name: "account",
    parameter: "account",
    candidates: async ({ call }) =>
      valuesOf(await call("GET /accounts")).map(({ id, name }) => ({ typed: id, known: name })),
  },
  {
    pattern: /\bsuch project\b|This project does not exist/,
    name: "project",
    parameter: "project",
    candidates: async ({ call }) =>
      valuesOf(await call("GET /projects")).map(({ slug, name }) => ({ typed: slug, known: name })),
  },
  {
    pattern: /\bsuch deploy\b/,
    name: "deploy",
    parameter: "deploy",
    candidates: async ({ call }, { project = "" }) =>
      valuesOf(await call("GET /projects/:project/deploys", { project })).map(({ id }) => ({
        typed: id,
      })),
  },
  {
    pattern: /\bsuch domain\b|No project has this domain/,
    name: "domain",
    parameter: "domain",
    candidates: async ({ call }, { project }) =>
      valuesOf(
        project === undefined
          ? await call("GET /domains")
          : await call("GET /projects/:project/domains", { project }),
      ).map(({ domain, unicode }) => ({ typed: domain, known: unicode })),
  },
  {
    pattern: /\bsuch API key\b/,
    name: "API key",
    parameter: "key",
    candidates: async ({ call }, { account }) =>
      account === undefined
        ? []
        : valuesOf(await call("GET /accounts/:account/keys", { account })).map(({ id, name }) => ({
            typed: id,
            known: name,
          })),
  },
  {
    pattern: /\bsuch order\b/,
    name: "order",
    parameter: "order",
    candidates: async () => [],
  },
  {
    pattern: /\bsuch enquiry\b/,
    name: "enquiry",
    parameter: "enquiry",
    candidates: async () => [],
  },
  {
    pattern: /\bsuch webhook\b/,
    name: "webhook",
    parameter: "webhook",
    candidates: async ({ call }, { account }) =>
      valuesOf(
        account === undefined
          ? await call("GET /system/webhooks")
          : await call("GET /accounts/:account/webhooks", { account }),
      ).map(({ id, description }) => ({ typed: id, ...(description && { known: description }) })),
  },
  {
    pattern: /\bsuch token\b/,
    name: "token",
    parameter: "token",
    candidates: async ({ call }) =>
      valuesOf(await call("GET /tokens")).map(({ id, name }) => ({ typed: id, known: name })),
  },
  {
    pattern: /\bsuch member\b/,
    name: "member",
    parameter: "member",
    candidates: async ({ call }) =>
      valuesOf(await call("GET /members")).map(({ id, email }) => ({ typed: id, known: email })),
  },
];

function valuesOf<Item>(result: Result<readonly Item[], Problem>): readonly Item[] {
  return result.ok ? result.value : [];
}

/** Returns a client whose refusals name what is missing, and suggest what may be meant. */
export function namingMissing(client: PetstoreClient): PetstoreClient {
  const explained = async <Value>(
    result: Result<Value, Problem>,
    [sent = {}]: readonly [object?],
  ): Promise<Result<Value, Problem>> => {
    if (result.ok) return result;
    const texts = Object.entries(sent).filter(([, value]) => typeof value === "string");
    return refused(await named(client, result.failure, Object.fromEntries(texts)));
  };
  return {
    ...client,
    call: async (operation, ...input) => explained(await client.call(operation, ...input), input),
    all: async (operation, ...input) => explained(await client.all(operation, ...input), input),
  };
}

async function named(client: PetstoreClient, failure: Problem, path: Path): Promise<Problem> {
  if (failure.code !== "not_found") return failure;
  const noun = nouns.find(({ pattern }) => pattern.test(failure.message));
  const typed = noun === undefined ? undefined : path[noun.parameter];
  if (noun === undefined || typed === undefined) return failure;
  const candidates = await noun.candidates(client, path).catch(() => []);
  return { ...failure, message: missingText(noun.name, typed, candidates) };
}

/** The most names that are compared. */
const MAX_CANDIDATES = 1_000;

/** `There is no project "tierheim-sonnnhof". Did you mean tierheim-sonnenhof?` */
export function missingText(noun: string, typed: string, all: readonly Candidate[]): string {
  const candidates = all.slice(0, MAX_CANDIDATES);
  const byText = new Map(
    candidates.flatMap((one) =>
      [one.typed, one.known ?? ""].filter((text) => text !== "").map((text) => [text, one]),
    ),
  );
  const meant = byText.get(nearest(typed, [...byText.keys()]) ?? "");
  const hint = meant === undefined ? "" : ` Did you mean ${shown(meant)}?`;
  return `There is no ${noun} ${quoted(typed)}.${hint}`;
}

function shown({ typed, known = "" }: Candidate): string {
  return known === "" || known === typed ? typed : `${typed} (${known})`;
}
