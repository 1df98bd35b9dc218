import type { JSX } from "preact";

import { ButtonLink } from "../components/button.tsx";
import { Empty } from "../components/feedback.tsx";
import { Page } from "../components/page.tsx";
import { words } from "../words/words.ts";

/** Says that an address leads nowhere, and not whether it would for somebody else. */
export function NotFound(): JSX.Element {
  const { shell } = words();
  return (
    <Page title={shell.notFound}>
      <Empty title={shell.notFound} actions={<ButtonLink href="/">{shell.home}</ButtonLink>}>
        {shell.notFoundText}
      </Empty>
    </Page>
  );
}
