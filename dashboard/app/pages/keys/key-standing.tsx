import type { ComponentChildren, JSX } from "preact";

import type { Environment } from "../../../../lib/model/account.ts";
import { Badge } from "../../components/indicators.tsx";
import { Instant } from "../../components/time.tsx";
import { words } from "../../words/words.ts";
import { prefixOf, type Standing } from "./standing.ts";

const TONES = {
  works: "good",
  replaced: "warn",
  banned: "bad",
  expired: "plain",
  revoked: "plain",
} as const;

/** Whether a key works, until when, and why. */
export function KeyStanding({
  standing,
  environment,
  children,
}: {
  readonly standing: Standing;
  readonly environment: Environment;
  /** What can be done about it. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { keys } = words();
  return (
    <div class="stack tight">
      <div>
        <Badge tone={TONES[standing.kind]}>{keys.standings[standing.kind]}</Badge>
      </div>
      <Detail standing={standing} environment={environment} />
      {children}
    </div>
  );
}

function Detail({
  standing,
  environment,
}: {
  readonly standing: Standing;
  readonly environment: Environment;
}): JSX.Element | null {
  const { keys } = words();
  switch (standing.kind) {
    case "works":
      return standing.expiresAt === undefined ? null : (
        <When label={keys.expires} at={standing.expiresAt} />
      );
    case "replaced":
      return (
        <>
          {standing.until !== undefined && <When label={keys.ends} at={standing.until} />}
          <p class="soft small">
            {keys.replacedBy(prefixOf({ environment, id: standing.successor }))}
          </p>
        </>
      );
    case "banned":
      return (
        <>
          <When label={keys.bannedUntil} at={standing.until} />
          <p class="soft small">{keys.bannedReason}</p>
        </>
      );
    case "expired":
    case "revoked":
      return standing.at === undefined ? null : <When at={standing.at} />;
  }
}

function When({
  label,
  at,
}: {
  readonly label?: ComponentChildren;
  readonly at: number;
}): JSX.Element {
  return (
    <p class="soft small">
      {label} <Instant at={at} />
    </p>
  );
}
