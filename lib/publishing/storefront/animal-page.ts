import { isoTime } from "../../base/clock.ts";
import { cards, figuresOf, picture, pictureOf } from "./cards.ts";
import type { Animal } from "./catalogue.ts";
import { contactActions, document } from "./document.ts";
import { enquiryPath } from "./enquiry-page.ts";
import { factList, factsOf } from "./facts.ts";
import { linkedData } from "./linked-data.ts";
import { markup, type Markup } from "./markup.ts";
import { tintOf } from "./placeholder.ts";
import type { Presentation } from "./presentation.ts";

/** Returns the page of one animal, with `others` below it. */
export function animalPage(
  presentation: Presentation,
  animal: Animal,
  others: readonly Animal[],
): string {
  const { pet, category, bio, photo, gallery, profile } = animal;
  const { words, date } = presentation.language;
  const facts = factsOf(profile, presentation.language, presentation.today);
  const since = profile.intakeAt ?? pet.createdAt;
  const image = picture(animal, presentation, "first", "(min-width: 56rem) 38rem, 90vw");
  const more = gallery.map(
    (one) => markup`
      <li class="art"><a href="${one.whole}">${pictureOf(one, one.alt ?? words.photoOf(pet.name), {
        load: "lazy",
        sizes: "9rem",
      })}</a></li>
    `,
  );
  return document(presentation, {
    title: pet.name,
    description: bio?.summary === "" ? undefined : bio?.summary,
    canonical: `/animals/${pet.id}`,
    image: photo && { path: photo.plain.path, alt: photo.alt ?? words.photoOf(pet.name) },
    data: linkedData(presentation, animal, facts),
    main: markup`
      ${figuresOf([animal, ...others])}<a class="back" href="/">${words.back}</a>
      <article class="animal"><div class="photos"><div class="art ${tintOf(pet.id)}">
      ${photo === undefined ? image : markup`<a href="${photo.whole}">${image}</a>`}</div>
      ${more.length > 0 && markup`<ul class="gallery">${more}</ul>`}</div>
      <div><header><h1><bdi>${pet.name}</bdi></h1><p class="facts">
      <span class="pill ${pet.status}">${words.status[pet.status]}</span><bdi>${category}</bdi>
      <time datetime="${isoTime(since).slice(0, 10)}">${words.since(date(since))}
      </time></p></header>${factList(facts)}
      ${bio !== undefined && markup`<div class="prose" dir="auto">${bio.html}</div>`}
      ${adopt(presentation, animal)}</div></article>${
        others.length > 0 &&
        markup`<section class="more" aria-labelledby="more"><h2 id="more">${words.more}</h2>${cards(others, presentation, { eager: 0 })}</section>`
      }
    `,
  });
}

function adopt({ settings, language, asks }: Presentation, { pet }: Animal): Markup | undefined {
  const { words } = language;
  const { contact = {}, links = {}, texts } = settings;
  const { email, phone, address, url } = contact;
  const form =
    asks === true && pet.status !== "sold"
      ? { path: enquiryPath(pet.id), label: language.enquiry.ask(pet.name) }
      : undefined;
  const reachable =
    form !== undefined ||
    [email, phone, address, url, links.visit].some((way) => way !== undefined);
  const builtIn = [words.adopt[pet.status], reachable ? words.invite[pet.status] : ""];
  const text = texts?.adopt ?? builtIn.filter((sentence) => sentence !== "").join(" ");
  if (text === "" && !reachable) return undefined;
  const invites = pet.status !== "sold" && (reachable || texts?.adopt !== undefined);
  const heading = invites ? words.adoptHeading(pet.name) : words.status[pet.status];
  return markup`
    <section class="adopt" aria-labelledby="adopt"><h2 id="adopt">${heading}
    </h2><p dir="auto">${text}</p>
    ${contactActions(settings, words, words.subject(pet.name, pet.id), form)}</section>
  `;
}
