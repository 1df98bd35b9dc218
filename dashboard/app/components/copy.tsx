import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { SECOND_MS } from "../../../lib/base/clock.ts";
import { words } from "../words/words.ts";
import { Icon } from "./icon.tsx";
import { toast } from "./toasts.tsx";

const THANKS_MS = 2 * SECOND_MS;

/** Puts a text into the clipboard and says so. `what` tells several of them apart. */
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

/** A text to be typed or pasted elsewhere, exactly as it stands. */
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
