import type { JSX } from "preact";

import { ButtonLink } from "../components/button.tsx";
import { Page } from "../components/page.tsx";
import { words } from "../words/words.ts";

/** Shown for unknown addresses and, alike, for those of other accounts. */
export function NotFound(): JSX.Element {
  const { shell } = words();
  return (
    <Page title={shell.notFound} about={shell.notFoundText}>
      <div>
        <ButtonLink href="/">{shell.home}</ButtonLink>
      </div>
    </Page>
  );
}
