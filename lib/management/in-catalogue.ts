import { noSuchAccount } from "../actions/accounts.ts";
import { problem, type Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import { environments, type Environment } from "../model/account.ts";
import { MAX_ID } from "../model/pet.ts";
import type { Store } from "../storage/store.ts";
import type { AccountCall, ManagementAnswer } from "./endpoint.ts";

type Answer = Promise<Result<ManagementAnswer, Problem>>;

/** Goes on in the environment that the path names. */
export function inEnvironment(
  { account, params }: AccountCall,
  go: (where: { readonly accountId: string; readonly environment: Environment }) => Answer,
): Answer {
  const environment = environments.find((one) => one === params["environment"]);
  return environment === undefined
    ? Promise.resolve(refused(noSuchEnvironment))
    : go({ accountId: account.id, environment });
}

/** Goes on in the catalogue that the path names. */
export function inCatalogue(
  call: AccountCall,
  { catalogues }: Store,
  go: (catalogueId: number, environment: Environment) => Answer,
): Answer {
  return inEnvironment(call, async ({ accountId, environment }) => {
    const catalogue = await catalogues.of(accountId, environment);
    return catalogue === undefined ? refused(noSuchAccount) : go(catalogue.id, environment);
  });
}

/** The number in the path; one that nothing can have, such as `abc`, `01` and 2^60, is 0. */
export function idIn({ params }: Pick<AccountCall, "params">, name: string): number {
  const text = params[name] ?? "";
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return id <= MAX_ID ? id : 0;
}

const noSuchEnvironment: Problem = problem(
  "not_found",
  `An account has the environments ${environments.join(" and ")}.`,
);
