import { tarGz, type FileToPack } from "../../lib/publishing/index.ts";
import { sampleAnimals } from "./animals.ts";
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

const SITE = {
  title: "Sample shelter",
  description: "Dogs, cats and small animals who look for a home. They live in a computer.",
  theme: { accent: "#2f6f4f", scheme: "auto" },
  storefront: {
    statuses: ["available", "pending"],
    sort: "oldest",
    texts: {
      heading: "Somebody waits for you",
      intro:
        "This is a site to try things with. Change the status of an animal in the dashboard, and look here again.",
      footer: "Everything here is made up, but the hedgehog has a point.",
    },
    contact: { name: "Sample shelter", email: "hello@shelter.example", hours: "Always" },
  },
};

/** The sample site as it would be sent: pictures and texts by the ids of the animals. */
export function sampleSite(idOf: (name: string) => number | undefined): ReadableStream<Uint8Array> {
  return tarGz(files(idOf));
}

async function* files(idOf: (name: string) => number | undefined): AsyncGenerator<FileToPack> {
  yield textFile("petstore.site.json", `${JSON.stringify(SITE, undefined, 2)}\n`);
  for (const { name, photo, bio } of sampleAnimals) {
    const id = idOf(name);
    if (id === undefined) continue;
    const content = await photoOf(photo);
    yield { path: `animals/${id}/photo.webp`, size: content.length, content };
    yield textFile(`animals/${id}/bio.md`, `${bio}\n`);
  }
}

function textFile(path: string, text: string): FileToPack {
  const content = new TextEncoder().encode(text);
  return { path, size: content.length, content };
}

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
