import bruno from "./photos/bruno.webp" with { type: "file" };
import cleo from "./photos/cleo.webp" with { type: "file" };
import clover from "./photos/clover.webp" with { type: "file" };
import hubert from "./photos/hubert.webp" with { type: "file" };
import kiwi from "./photos/kiwi.webp" with { type: "file" };
import mimi from "./photos/mimi.webp" with { type: "file" };
import otto from "./photos/otto.webp" with { type: "file" };
import pearl from "./photos/pearl.webp" with { type: "file" };
import pippa from "./photos/pippa.webp" with { type: "file" };
import shadow from "./photos/shadow.webp" with { type: "file" };
import sheldon from "./photos/sheldon.webp" with { type: "file" };
import skye from "./photos/skye.webp" with { type: "file" };

const photos = {
  bruno,
  cleo,
  clover,
  hubert,
  kiwi,
  mimi,
  otto,
  pearl,
  pippa,
  shadow,
  sheldon,
  skye,
} as const;

export type PhotoName = keyof typeof photos;

/** The picture of an animal, as WebP; drawn by scripts/draw-sample.mjs. */
export function photoOf(name: PhotoName): Promise<Uint8Array> {
  return Bun.file(photos[name]).bytes();
}
