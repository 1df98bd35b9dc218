import { useSignal } from "@preact/signals";
import { ErrorBoundary, useLocation } from "preact-iso";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

import { Button } from "./components/button.tsx";
import { Notice } from "./components/notice.tsx";
import { words } from "./words/words.ts";

/** What breaks while a view is drawn, or when its code cannot be had, leaves the rest of the page as it is. */
export function Guarded({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const broken = useSignal(false);
  const { path } = useLocation();
  useEffect(() => {
    broken.value = false;
  }, [path]);
  const { shell } = words();
  if (broken.value) {
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
  return (
    <ErrorBoundary
      onError={(error) => {
        reportError(error);
        broken.value = true;
      }}
    >
      {children}
    </ErrorBoundary>
  );
}
