import { noSuchAccount } from "../accounts/default-account.ts";
import { problem, type Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import { environments, type Environment } from "../model/account.ts";
import type { StoreReads } from "../storage/store.ts";
import type { AccountCall } from "./endpoint.ts";

export type EnvironmentCall = AccountCall<unknown, unknown, "account" | "environment">;

/** Calls `run` with the environment that the path names. */
export async function inEnvironment<Value>(
  { account, params }: EnvironmentCall,
  run: (where: {
    readonly accountId: string;
    readonly environment: Environment;
  }) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  const environment = environments.find((one) => one === params.environment);
  return environment === undefined
    ? refused(noSuchEnvironment)
    : run({ accountId: account.id, environment });
}

/** Calls `run` with the catalogue that the path names, and the part of the path that names it. */
export function inCatalogue<Value>(
  call: EnvironmentCall,
  { catalogues }: Pick<StoreReads, "catalogues">,
  run: (catalogueId: number, root: string) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  return inEnvironment(call, async ({ accountId, environment }) => {
    const catalogue = await catalogues.of(accountId, environment);
    return catalogue === undefined
      ? refused(noSuchAccount)
      : run(catalogue.id, `/accounts/${accountId}/${environment}`);
  });
}

const noSuchEnvironment: Problem = problem(
  "not_found",
  `An account has the environments ${environments.join(" and ")}.`,
);
