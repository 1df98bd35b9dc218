import type { JSX } from "preact";

import { ButtonLink } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { deploysWords } from "../../../words/deploys-words.ts";

/** Leads to a deploy as visitors would see it; nothing where only what is live is shown. */
export function PreviewLink({ href }: { readonly href: string | undefined }): JSX.Element | null {
  if (href === undefined) return null;
  return (
    <ButtonLink small look="quiet" away href={href}>
      {deploysWords.words().preview} <Icon name="away" />
    </ButtonLink>
  );
}
