import { tarGz, type FileToPack } from "../../lib/publishing/index.ts";
import { photoOf, sampleAnimals } from "./animals.ts";

const SITE = {
  title: "Sample shelter",
  description: "Dogs, cats and small animals looking for a home. They live in a computer.",
  theme: { accent: "#2f6f4f", scheme: "auto" },
  storefront: {
    statuses: ["available", "pending"],
    sort: "oldest",
    texts: {
      heading: "Someone is waiting for you",
      intro:
        "This is a sample site. Change the status of an animal in the dashboard, and reload this page.",
      footer: "Everything here is made up, but the hedgehog has a point.",
    },
    contact: { name: "Sample shelter", email: "hello@shelter.example", hours: "Always" },
  },
};

/** Returns the archive of the sample site: photos and texts by the IDs of the animals. */
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
