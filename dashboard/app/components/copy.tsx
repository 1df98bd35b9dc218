import { useSignal } from "@preact/signals";
import type { JSX, ComponentChildren } from "preact";
import { SECOND_MS } from "../../../lib/base/clock.ts";
import { words } from "../words/words.ts";
import { Icon } from "./icon.tsx";
import { toast } from "./toasts.tsx";
import { bound, CheckField } from "./field.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./feedback.tsx";

const THANKS_MS = 2 * SECOND_MS;

/** A button that copies a text to the clipboard. `what` names the text. */
export function Copy({
  text,
  what,
  onCopied,
}: {
  readonly text: string;
  readonly what: string;
  readonly onCopied?: () => void;
}): JSX.Element {
  const copied = useSignal(false);
  const { common } = words();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast(common.notCopied);
      return;
    }
    copied.value = true;
    onCopied?.();
    window.setTimeout(() => {
      copied.value = false;
    }, THANKS_MS);
  };
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={common.copy(what)}
      title={common.copy(what)}
      onClick={() => void copy()}
    >
      <Icon name={copied.value ? "check" : "copy"} />
      <span class="out-of-sight" role="status">
        {copied.value ? common.copied : ""}
      </span>
    </button>
  );
}

/** A literal text to copy, such as a command. */
export function Code({
  text,
  what,
  onCopied,
}: {
  readonly text: string;
  readonly what: string;
  readonly onCopied?: () => void;
}): JSX.Element {
  return (
    <div class="code">
      <pre>
        <code>{text}</code>
      </pre>
      <Copy text={text} what={what} {...(onCopied === undefined ? {} : { onCopied })} />
    </div>
  );
}

/** Saves a generated file through the browser. */
export function download(name: string, type: string, parts: readonly BlobPart[]): void {
  const charset = type.startsWith("text/") ? ";charset=utf-8" : "";
  const address = URL.createObjectURL(new Blob([...parts], { type: type + charset }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Later, because the browser reads the file asynchronously.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Shows a secret for the only time. Stays open until the secret is copied or the user confirms having saved it. */
export function ShownOnce({
  title,
  about,
  secret,
  what,
  isLink = false,
  children,
  onDone,
}: {
  readonly title: string;
  /** What the secret is for, and that it is shown once. */
  readonly about: ComponentChildren;
  readonly secret: string;
  /** Names the secret, such as "API key". */
  readonly what: string;
  /** True for a link to pass on, which nobody has to keep. */
  readonly isLink?: boolean;
  /** Other ways to save it, and how to try it. Gets a function to call once it is saved. */
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
      <CheckField label={isLink ? common.copiedLink : common.kept} {...bound(kept)} />
    </Dialog>
  );
}
