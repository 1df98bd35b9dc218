import type { JSX } from "preact";

import type { Deploy, DeployState } from "../../../../../lib/publishing/model/deploy.ts";
import { isMaking } from "../../../../../lib/publishing/model/deploy-state.ts";
import { Badge } from "../../../components/badge.tsx";
import { deploysWords } from "../../../words/deploys-words.ts";

/** How a deploy is, and whether it is kept for good. */
export function StateBadge({
  deploy: { state, pinned },
}: {
  readonly deploy: Pick<Deploy, "state" | "pinned">;
}): JSX.Element {
  const deploys = deploysWords.words();
  return (
    <span class="row tight">
      <Badge {...LOOKS[state]}>
        {isMaking(state) && <span class="spin" aria-hidden="true" />}
        {deploys.states[state]}
      </Badge>
      {pinned && <Badge icon="pin">{deploys.pinned}</Badge>}
    </span>
  );
}

const LOOKS: Readonly<
  Record<
    DeployState,
    { readonly tone?: "good" | "bad" | "accent"; readonly icon?: "check" | "warn" }
  >
> = {
  uploading: { tone: "accent" },
  processing: { tone: "accent" },
  ready: { tone: "accent" },
  live: { tone: "good", icon: "check" },
  superseded: {},
  failed: { tone: "bad", icon: "warn" },
};
