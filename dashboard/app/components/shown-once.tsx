import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

import { into } from "../state/into.ts";
import { words } from "../words/words.ts";
import { Code } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import { CheckField } from "./field.tsx";
import { Notice } from "./notice.tsx";

/** Hands over a secret that is never to be had again: it stays until it was copied, or somebody says they have it. */
export function ShownOnce({
  title,
  about,
  secret,
  what,
  children,
  onDone,
}: {
  readonly title: string;
  /** What the secret is good for, and that it is shown once. */
  readonly about: ComponentChildren;
  readonly secret: string;
  /** What is copied: "API key". */
  readonly what: string;
  /** Other ways to keep it, and how to try it; gets what to call when it was kept. */
  readonly children?: (kept: () => void) => ComponentChildren;
  readonly onDone: () => void;
}): JSX.Element {
  const kept = useSignal(false);
  const keep = (): void => {
    kept.value = true;
  };
  const { common } = words();
  return (
    <Dialog
      title={title}
      action={common.done}
      stays
      wide
      disabled={!kept.value}
      onSubmit={onDone}
      onClose={onDone}
    >
      <Notice tone="warn">
        <p>{about}</p>
      </Notice>
      <Code text={secret} what={what} onCopied={keep} />
      {children?.(keep)}
      <CheckField label={common.kept} checked={kept.value} onInput={into(kept)} />
    </Dialog>
  );
}
