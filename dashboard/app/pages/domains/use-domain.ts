import type { ReadonlySignal } from "@preact/signals";

import type { DomainView } from "../../../../lib/management/domain-view.ts";
import { fromWire } from "../../../../lib/management/wire.ts";
import { at, get } from "../../api.ts";
import { useLive, type Liveness } from "../../state/live.ts";
import { useResource, type Resource } from "../../state/resource.ts";

/** A domain of a project, as it is at every moment. */
export interface FollowedDomain {
  readonly domain: Resource<DomainView>;
  readonly liveness: ReadonlySignal<Liveness>;
}

const EVENTS = ["domain"] as const;

/** Follows a domain as long as it is shown: each event is the whole of it, so that none can be missed. */
export function useDomain(projectId: string, name: string): FollowedDomain {
  const path = at`/projects/${projectId}/domains/${name}`;
  const domain = useResource(path, () => get<DomainView>(path));
  const liveness = useLive({
    // What is not there cannot be followed.
    path: domain.value === undefined ? undefined : path,
    events: EVENTS,
    onEvent: (_type, data) => {
      // The service's own type, as `get` reads it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      if (data !== undefined) domain.put(fromWire(data) as DomainView);
    },
    poll: domain.reload,
  });
  return { domain, liveness };
}
