import { SECOND_MS } from "../../../../../lib/base/clock.ts";
import type { ProjectView } from "../../../../../lib/management/client.ts";
import type { DomainView } from "../../../../../lib/management/domain-view.ts";
import { at, get } from "../../../api.ts";
import { useLive } from "../../../state/live.ts";
import { usePolling } from "../../../state/polling.ts";
import { useResource, type Resource } from "../../../state/resource.ts";
import { isUnderWay } from "../progress.ts";

/** What of the account's events says that a list of domains looks different now. */
const EVENTS = [
  "domain.added",
  "domain.verified",
  "domain.contested",
  "domain.removed",
  "domain.issuing",
  "domain.renewed",
  "domain.live",
  "domain.failed",
  "domain.expiring",
] as const;

/** Not everything is an event: looks at the DNS that changed nothing of note are not. */
const LOOK_EVERY_MS: number = 10 * SECOND_MS;

/** The domains of a project, as they are at every moment. */
export function useDomains(
  project: Pick<ProjectView, "id" | "accountId">,
): Resource<readonly DomainView[]> {
  const path = at`/projects/${project.id}/domains`;
  const domains = useResource(path, () => get<readonly DomainView[]>(path));
  const reload = (): Promise<void> => domains.reload();
  useLive({
    path: `${at`/accounts/${project.accountId}/events`}?types=${EVENTS.join(",")}`,
    events: EVENTS,
    onEvent: () => void reload(),
    poll: reload,
  });
  usePolling(LOOK_EVERY_MS, async () => {
    if (domains.value?.some(isUnderWay) === true) await reload();
  });
  return domains;
}
