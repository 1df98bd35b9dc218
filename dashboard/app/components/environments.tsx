import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import { environments } from "../../../lib/model/account.ts";
import { inEnvironment, useEnvironment } from "../state/environment.ts";
import { words } from "../words/words.ts";
import { Notice } from "./notice.tsx";

/** Leads from one catalogue of the account to the other. */
export function Environments(): JSX.Element {
  const { path } = useLocation();
  const current = useEnvironment();
  const { common } = words();
  return (
    <nav class={`segments ${current}`} aria-label={common.environment}>
      {environments.map((one) => (
        <a
          key={one}
          href={path + inEnvironment(one)}
          {...(one === current ? { "aria-current": "page" as const } : {})}
        >
          {common[one]}
        </a>
      ))}
    </nav>
  );
}

/** Says that what is shown is not for visitors, so that nobody takes the one for the other. */
export function StagingNotice(): JSX.Element | null {
  if (useEnvironment() === "production") return null;
  return (
    <Notice tone="warn">
      <p>{words().animals.stagingText}</p>
    </Notice>
  );
}
