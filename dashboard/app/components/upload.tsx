import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** A button of the drop zone, which opens the browser's file dialog. */
export interface FileChoice {
  readonly label: string;
  /** File types, as the `accept` attribute lists them. Absent: a whole directory. */
  readonly accept?: string;
  /** Takes several files. */
  readonly multiple?: boolean;
  /** Opens the camera of a phone. */
  readonly camera?: boolean;
}

/** Takes files that are dropped, or chosen with the keyboard. */
export function DropZone({
  label,
  labelOver,
  hint,
  choices,
  onDrop,
  onChoose,
}: {
  readonly label: string;
  /** Replaces the label while something is dragged over the zone. */
  readonly labelOver: string;
  readonly hint: string;
  readonly choices: readonly FileChoice[];
  /** Must read the data before it returns: the browser clears it then. */
  readonly onDrop: (data: DataTransfer) => void;
  /** Gets at least one file. */
  readonly onChoose: (files: readonly File[]) => void;
}): JSX.Element {
  const over = useSignal(false);
  const inputs = useRef(new Map<string, HTMLInputElement>()).current;
  return (
    <div
      class={over.value ? "drop-zone over" : "drop-zone"}
      onDragOver={(event) => {
        event.preventDefault();
        over.value = true;
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        // Moving into a child also fires this event.
        over.value = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
      }}
      onDrop={(event) => {
        event.preventDefault();
        over.value = false;
        if (event.dataTransfer !== null) onDrop(event.dataTransfer);
      }}
    >
      <Icon name="upload" />
      <p>
        <strong>{over.value ? labelOver : label}</strong>
      </p>
      <p class="soft small">{hint}</p>
      <div class="row">
        {choices.map((choice) => (
          <Button key={choice.label} onClick={() => inputs.get(choice.label)?.click()}>
            {choice.label}
          </Button>
        ))}
      </div>
      {choices.map(({ label: name, accept, multiple = false, camera = false }) => (
        <input
          key={name}
          ref={(input) => {
            if (input !== null) inputs.set(name, input);
          }}
          type="file"
          hidden
          aria-label={name}
          multiple={multiple}
          {...(camera ? { capture: "environment" as const } : {})}
          {...(accept === undefined ? { webkitdirectory: true } : { accept })}
          onChange={({ currentTarget }) => {
            const files = Array.from(currentTarget.files ?? []);
            // Lets the user choose the same file again.
            currentTarget.value = "";
            if (files.length > 0) onChoose(files);
          }}
        />
      ))}
    </div>
  );
}
