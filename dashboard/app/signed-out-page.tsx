import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

import { Mark } from "./components/icon.tsx";
import { Preferences } from "./preferences.tsx";
import { Confirmation } from "./components/dialog.tsx";
import { Toasts } from "./components/toasts.tsx";

/** The frame around a view without sign-in. */
export function SignedOutPage({
  title,
  wide = false,
  children,
}: {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Petstore`;
  }, [title]);
  return (
    <>
      <main class={wide ? "signed-out wide" : "signed-out"} id="content">
        <p class="brand">
          <Mark /> Petstore
        </p>
        {children}
        <Preferences />
      </main>
      <Toasts />
      <Confirmation />
    </>
  );
}
