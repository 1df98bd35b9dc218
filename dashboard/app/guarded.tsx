import { useLocation } from "preact-iso";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";

import { Button } from "./components/button.tsx";
import { Notice } from "./components/notice.tsx";
import { words } from "./words/words.ts";

/** What breaks while a view is drawn, or when its code cannot be had, leaves the rest of the page as it is. */
export function Guarded({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [fault, forget] = useErrorBoundary((error: unknown) => reportError(error));
  const { path } = useLocation();
  useEffect(() => {
    // Not what broke as this very path was drawn.
    if (fault !== undefined) forget();
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
