import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { MINUTE_MS } from "../../lib/base/clock.ts";
import { call } from "./api.ts";
import { Notice } from "./components/feedback.tsx";
import { isOperator } from "./state/me.ts";
import type { Language } from "./state/preferences.ts";
import { usePolling, useResource } from "./state/resource.ts";
import type { OverdueWords } from "./words/en/overdue.ts";
import { language } from "./words/format.ts";
import { prepared } from "./words/isolated.ts";

const catalogues: Readonly<Record<Language, () => Promise<{ readonly overdue: OverdueWords }>>> = {
  en: () => import("./words/en/overdue.ts"),
  de: () => import("./words/de/overdue.ts"),
};

/** Certificates become overdue after days. */
const POLL_MS: number = 10 * MINUTE_MS;

/** Warns of certificates that should have been renewed: operators of all, others of those of their account. */
export function Overdue(): JSX.Element | null {
  const counts = useResource("overdue", () => call("GET /certificates/overdue"));
  usePolling(POLL_MS, counts.reload);
  const [words, setWords] = useState<OverdueWords | undefined>(undefined);
  const chosen = language();
  const { overdue = 0, expired = 0, first = null } = counts.value ?? {};
  useEffect(() => {
    if (overdue === 0) return;
    // Without its words, nothing is shown.
    catalogues[chosen]().then(
      (loaded) => {
        // The language may have changed meanwhile, and its words arrived first.
        if (language() === chosen) setWords(prepared(loaded.overdue));
      },
      () => undefined,
    );
  }, [chosen, overdue > 0]);
  if (overdue === 0 || first === null || words === undefined) return null;
  const { domain, project, expiresAt } = first;
  const facts = { count: overdue, expired, domain, at: expiresAt };
  return (
    <Notice tone={expired > 0 ? "bad" : "warn"} live="status">
      <p>{words.what(facts)}</p>
      <p class="row">
        {isOperator.value ? (
          <a href="/system">{words.system}</a>
        ) : (
          project !== null && (
            <a href={`/projects/${project}/domains/${domain}`}>{words.open(domain)}</a>
          )
        )}
      </p>
    </Notice>
  );
}
