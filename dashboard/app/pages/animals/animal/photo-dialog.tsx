import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import type { PhotoShown } from "../../../../../lib/catalogue/profile-schema.ts";
import { trimText } from "../../../../../lib/model/text.ts";
import { call } from "../../../api.ts";
import { Button } from "../../../components/button.tsx";
import { FormDialog } from "../../../components/form.tsx";
import { TextAreaField } from "../../../components/text-area.tsx";
import { toast } from "../../../components/toasts.tsx";
import { animalWords } from "../../../words/late.tsx";
import { inCatalogue, type Where } from "../catalogue.tsx";

const CENTRE = { x: 50, y: 50 } as const;
/** How far an arrow key moves the point, in percent; with Shift, 1. */
const STEP = 5;

const MOVES: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Changes the description and the focus point of a photo. */
export function PhotoDialog({
  where,
  petId,
  photo,
  position,
  onSaved,
  onClose,
}: {
  readonly where: Where;
  readonly petId: number;
  readonly photo: PhotoShown;
  readonly position: number;
  readonly onSaved: (photo: PhotoShown) => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { photos: text } = animalWords.words();
  const alt = useSignal(photo.alt ?? "");
  const focus = useSignal(photo.focus ?? CENTRE);
  const { x, y } = focus.value;
  const moveTo = (left: number, top: number): void => {
    const within = (value: number): number => Math.round(Math.min(100, Math.max(0, value)));
    focus.value = { x: within(left), y: within(top) };
  };
  const isCentre = x === CENTRE.x && y === CENTRE.y;
  return (
    <FormDialog
      wide
      title={text.editOne(position)}
      action={text.savePhoto}
      send={() =>
        call("PATCH /accounts/:account/:environment/pets/:pet/photos/:photo", {
          ...inCatalogue(where),
          pet: String(petId),
          photo: String(photo.id),
          body: {
            alt: trimText(alt.peek()) || null,
            focus: isCentre ? null : focus.peek(),
          },
        })
      }
      onDone={(saved) => {
        toast(text.saved);
        onSaved(saved);
        onClose();
      }}
      onClose={onClose}
    >
      <TextAreaField
        label={text.alt}
        hint={text.altHint}
        rows={2}
        value={alt.value}
        onInput={(value) => (alt.value = value)}
      />
      <div class="field">
        <span id="focus-label">
          <strong>{text.focus}</strong>
        </span>
        <button
          type="button"
          class="focus-picker"
          aria-labelledby="focus-label"
          aria-describedby="focus-hint focus-now"
          style={{ aspectRatio: `${photo.width} / ${photo.height}` }}
          onClick={(event) => {
            // Not a key: those have no position.
            if (event.detail === 0) return;
            const { width, height } = event.currentTarget.getBoundingClientRect();
            moveTo((100 * event.offsetX) / width, (100 * event.offsetY) / height);
          }}
          onKeyDown={(event) => {
            const move = MOVES[event.key];
            if (move === undefined) return;
            event.preventDefault();
            const step = event.shiftKey ? 1 : STEP;
            moveTo(focus.peek().x + step * move[0], focus.peek().y + step * move[1]);
          }}
        >
          <img src={sizeFor(photo, SHOWN_WIDTH)} alt="" />
          <span class="focus-point" style={{ left: `${x}%`, top: `${y}%` }} />
        </button>
        {/* One of the form's controls, so that a moved point counts as a change. */}
        <input type="hidden" value={`${x} ${y}`} />
        <p class="hint" id="focus-hint">
          {text.focusHint}
        </p>
        <div class="row apart">
          <p class="small" id="focus-now" role="status">
            {text.focusAt(x, y)}
          </p>
          <Button small look="quiet" disabled={isCentre} onClick={() => moveTo(CENTRE.x, CENTRE.y)}>
            {text.centre}
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}

/** The width of the picture in the dialog, on a screen with two pixels for each. */
const SHOWN_WIDTH = 800;

/** Returns the address of the smallest size that is at least so wide, or of the largest. */
export function sizeFor({ sizes }: PhotoShown, width: number): string {
  return (sizes.find((size) => size.width >= width) ?? sizes.at(-1))?.url ?? "";
}
