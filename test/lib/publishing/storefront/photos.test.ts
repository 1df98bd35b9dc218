import { expect, test } from "bun:test";

import type { NewPhoto } from "../../../../lib/catalogue/model-profile.ts";
import { openShop, ORIGIN, type Published, type Shop } from "../../../helpers/storefront.ts";

/** A photo whose file is named by a letter. */
function photo(letter: string, more: Pick<NewPhoto, "alt" | "focus"> = {}): NewPhoto {
  const size = (width: number, type: "image/webp" | "image/jpeg", start: number) =>
    ({ width, height: width / 2, type, start, bytes: 100 }) as const;
  return {
    ...more,
    hash: letter.repeat(64),
    width: 2_000,
    height: 1_000,
    sizes: [
      size(2_000, "image/webp", 0),
      size(400, "image/webp", 100),
      size(1_200, "image/jpeg", 200),
    ],
    bytes: 300,
  };
}

async function shopWith(photos: readonly NewPhoto[], published?: Published): Promise<Shop> {
  const shop = await openShop(published);
  const { commit, addPet, production: catalogueId } = shop.shelter;
  const { id: petId } = await addPet({ name: "Bella", status: "available" });
  const of = { catalogueId, petId, at: 1 };
  await commit(
    { kind: "profile.set", ...of, from: 0, to: { text: "Likes *long* walks." } },
    ...photos.map((one) => ({ kind: "photo.add", ...of, photo: one, maxBytes: 10_000 }) as const),
  );
  return shop;
}

const [A, B] = ["a".repeat(64), "b".repeat(64)];

test("a list shows the first photo of a profile in the width of a card, and the text", async () => {
  const shop = await shopWith([
    photo("a", { alt: "Bella runs", focus: { x: 20, y: 96 } }),
    photo("b"),
  ]);
  const page = await shop.page("/");
  expect(page).toContain(
    `<source srcset="/photos/${A}/2000.webp 2000w, /photos/${A}/400.webp 400w" sizes="(min-width: 40rem) 20rem, 90vw" type="image/webp" />`,
  );
  expect(page).toContain(
    `<img src="/photos/${A}/1200.jpg" alt="Bella runs" width="800" height="600" decoding="async" fetchpriority="high" class="x2 y10" />`,
  );
  expect(page).toContain(".x2{--x:20%}");
  expect(page).not.toContain(B);
  expect(page).toContain("Likes long walks.");
  expect(page).toContain(`<meta property="og:image" content="${ORIGIN}/photos/${A}/1200.jpg" />`);
});

test("an animal's page shows all photos, each of which leads to the largest form", async () => {
  const shop = await shopWith([photo("a"), photo("b", { alt: `"<Bella>"` })]);
  const page = await shop.page("/animals/1");
  expect(page).toContain(`<a href="/photos/${A}/2000.webp"><picture>`);
  expect(page).toContain(`<ul class="gallery">`);
  expect(page).toContain(`<a href="/photos/${B}/2000.webp"><picture>`);
  expect(page).toContain(`alt="&quot;&lt;Bella&gt;&quot;"`);
  expect(page).toContain("Likes <em>long</em> walks.");
});

test("the files of a deploy win over the photos and the text of the profile", async () => {
  const files = { "/animals/1/photo.jpg": "jpeg", "/animals/1/bio.md": "From the deploy." };
  const shop = await shopWith([photo("a")], { files });
  expect(await shop.page("/")).toContain('<img src="/animals/1/photo.jpg"');
  const page = await shop.page("/animals/1");
  expect(page).toContain('<a href="/animals/1/photo.jpg"><img');
  expect(page).not.toContain(A);
  expect(page).toContain("From the deploy.");
  expect(page).not.toContain("long");
});

test("feeds have the JPEG", async () => {
  const shop = await shopWith([photo("a")]);
  expect(await shop.page("/feed.json")).toContain(`"image":"${ORIGIN}/photos/${A}/1200.jpg"`);
  expect(await shop.page("/feed.xml")).toContain(
    `<link rel="enclosure" type="image/jpeg" length="100" href="${ORIGIN}/photos/${A}/1200.jpg" />`,
  );
});

test("a page shows the photos at once, and no longer when they are removed", async () => {
  const shop = await shopWith([]);
  const { commit, production: catalogueId } = shop.shelter;
  const of = { catalogueId, petId: 1, at: 2 };
  expect(await shop.page("/")).not.toContain("/photos/");
  await commit({ kind: "photo.add", ...of, photo: photo("a"), maxBytes: 10_000 });
  expect(await shop.page("/")).toContain(A);
  await commit({ kind: "photo.remove", ...of, photoId: 1 });
  expect(await shop.page("/")).not.toContain("/photos/");
});
