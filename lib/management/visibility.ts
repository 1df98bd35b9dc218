import { noSuchAccount } from "../accounts/default-account.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Account } from "../model/account.ts";
import type { Project } from "../publishing/model/project.ts";
import type { ManagementServices } from "./management.ts";
import type { Principal } from "../accounts/principal.ts";
import { noSuchProject } from "./refusals.ts";

type Sources = Pick<ManagementServices, "store" | "projects">;

/** Returns true for operators and for members of the account. */
export function maySee({ accountId }: Principal, owner: string): boolean {
  return accountId === undefined || accountId === owner;
}

/** Returns the account; the same refusal whether it does not exist or the caller may not see it. */
export function visibleAccount(
  { store }: Sources,
  principal: Principal,
  id: string,
): Eventual<Result<Account, Problem>> {
  if (!maySee(principal, id)) return refused(noSuchAccount);
  return andThen(store.accounts.byId(id), (account) =>
    account === undefined ? refused(noSuchAccount) : done(account),
  );
}

/** Returns the project with this id or slug; the same refusal whether it does not exist or the caller may not see it. */
export async function visibleProject(
  { store, projects }: Sources,
  principal: Principal,
  name: string,
): Promise<Result<{ readonly project: Project; readonly account: Account }, Problem>> {
  // Slugs have no underscores.
  const project = await (name.startsWith("prj_") ? projects.byId(name) : projects.bySlug(name));
  if (project === undefined || !maySee(principal, project.accountId)) return refused(noSuchProject);
  const account = await store.accounts.byId(project.accountId);
  return account === undefined ? refused(noSuchProject) : done({ project, account });
}
