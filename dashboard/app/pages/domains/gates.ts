import type { ProjectView } from "../../../../lib/management/client.ts";
import type { Account } from "../../../../lib/model/account.ts";

/** What has to be there before a project may have domains, as far as this page can see it. */
export interface Gates {
  /** Undefined while the account is not known. */
  readonly account: Account | undefined;
  readonly plan: boolean;
  readonly deploy: boolean;
}

export function gatesOf(
  { liveDeployId, deletedAt }: Pick<ProjectView, "liveDeployId" | "deletedAt">,
  account: Account | undefined,
): Gates {
  return {
    account,
    plan: account !== undefined && account.plan !== "free" && account.suspendedAt === undefined,
    deploy: liveDeployId !== undefined && deletedAt === undefined,
  };
}

/** Nothing that we know of speaks against adding a domain. */
export function isOpen({ plan, deploy }: Gates): boolean {
  return plan && deploy;
}
