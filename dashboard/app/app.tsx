import { LocationProvider, Router, useLocation } from "preact-iso";
import type { JSX, ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { loadMe, proveIdentityBy } from "./api.ts";
import { Refusal, Notice } from "./components/feedback.tsx";
import { SIGNED_OUT } from "./pages/sign-in/after-sign-in.ts";
import { signedOutRoutes, routes } from "./routes.tsx";
import { Shell } from "./shell.tsx";
import { forgetAccounts, reloadAccounts } from "./state/account.ts";
import { me, meProblem } from "./state/me.ts";
import { Button } from "./components/button.tsx";
import { words } from "./words/words.ts";

/** Addresses of the dashboard; all others on the host are separate documents. */
const SCOPE = /^\/(?!(?:docs|help|v1|manage|llms\.txt|assets)(?:[/?#]|$))/;

proveIdentityBy(async () => (await import("./proof.tsx")).prove());

/** The dashboard. */
export function App(): JSX.Element {
  return (
    <LocationProvider scope={SCOPE}>
      <Views />
    </LocationProvider>
  );
}

function Views(): JSX.Element {
  const { path, url, route } = useLocation();
  const open = SIGNED_OUT.test(path);
  const who = me.value;

  useEffect(() => {
    if (who === undefined) void loadMe();
    if (who === null) forgetAccounts();
    if (who === null && !open) route(`/sign-in?to=${encodeURIComponent(url)}`, true);
    if (who !== null && who !== undefined) void reloadAccounts();
  }, [who, open]);

  if (open)
    return (
      <Guarded>
        <Router>{signedOutRoutes}</Router>
      </Guarded>
    );
  if (who === undefined || who === null) {
    const problem = meProblem.value;
    return (
      <main class="signed-out" aria-busy={problem === undefined}>
        <Refusal problem={problem} onRetry={() => void loadMe()} />
      </main>
    );
  }
  return (
    <Shell>
      <Guarded>
        <Router onRouteChange={focusView}>{routes}</Router>
      </Guarded>
    </Shell>
  );
}

/** Shows a new view from its top and moves the focus to it, for screen readers. */
function focusView(): void {
  window.scrollTo(0, 0);
  document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
}

/** Keeps the rest of the page working when a view throws or its code cannot be loaded. */
function Guarded({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [fault, reset] = useErrorBoundary((error: unknown) => reportError(error));
  const { path } = useLocation();
  useEffect(() => {
    // Runs for a changed path only: an error of this path stays.
    if (fault !== undefined) reset();
  }, [path]);
  const { shell } = words();
  if (fault !== undefined) {
    return (
      <Notice tone="bad" live="alert">
        <h1>{shell.broke}</h1>
        <p>{shell.brokeText}</p>
        <p>
          <Button onClick={() => location.reload()}>{shell.reload}</Button>
        </p>
      </Notice>
    );
  }
  return <>{children}</>;
}
