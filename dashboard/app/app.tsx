import { LocationProvider, Router, useLocation } from "preact-iso";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { whoIsThere } from "./api.ts";
import { Refusal } from "./components/notice.tsx";
import { Guarded } from "./guarded.tsx";
import { doorRoutes, routes } from "./routes.tsx";
import { Shell } from "./shell.tsx";
import { forgetAccounts, reloadAccounts } from "./state/account.ts";
import { me, meProblem } from "./state/me.ts";

/** Addresses of this page; all others on the host are documents of their own. */
const SCOPE = /^\/(?!(?:docs|help|v1|manage|llms\.txt|assets)(?:[/?#]|$))/;

/** The dashboard. */
export function App(): JSX.Element {
  return (
    <LocationProvider scope={SCOPE}>
      <Views />
    </LocationProvider>
  );
}

/** Views that do not need anybody to be signed in. */
const DOORS = /^\/(?:sign-in|setup|reset)$/;

function Views(): JSX.Element {
  const { path, url, route } = useLocation();
  const open = DOORS.test(path);
  const who = me.value;

  useEffect(() => {
    if (who === undefined) void whoIsThere();
    if (who === null) forgetAccounts();
    if (who === null && !open) route(`/sign-in?to=${encodeURIComponent(url)}`, true);
    if (who !== null && who !== undefined) void reloadAccounts();
  }, [who, open]);

  if (open)
    return (
      <Guarded>
        <Router>{doorRoutes}</Router>
      </Guarded>
    );
  if (who === undefined || who === null) {
    const problem = meProblem.value;
    return (
      <main class="door" aria-busy={problem === undefined}>
        <Refusal problem={problem} onRetry={() => void whoIsThere()} />
      </main>
    );
  }
  return (
    <Shell>
      <Guarded>
        <Router onRouteChange={settle}>{routes}</Router>
      </Guarded>
    </Shell>
  );
}

/** A new view begins at its top, and readers of the screen are told of it. */
function settle(): void {
  window.scrollTo(0, 0);
  document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
}
