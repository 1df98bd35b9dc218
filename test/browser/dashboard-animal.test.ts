import { expect, test } from "bun:test";
import { setTimeout as delay } from "node:timers/promises";

import type { Page, Route } from "playwright-core";

import type { Account } from "../../lib/model/account.ts";
import { openTab, type Tab } from "../helpers/browser.ts";
import { operator } from "../helpers/dashboard.ts";
import { DESK, follow, openDesk } from "../helpers/desk.ts";
import { jpegOf, pngOf } from "../helpers/pictures.ts";
import { shiftsOf, watchShifts } from "../helpers/sights.ts";

const { run, browser, tab, openView } = await openDesk();

interface Photo {
  readonly id: number;
  readonly alt?: string;
  readonly focus?: { readonly x: number; readonly y: number };
  readonly width: number;
}

/** Creates a shelter with one animal. Resolves with the addresses of its page and of the animal in the API. */
async function animal() {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside" });
  const at = `/accounts/${id}/production/pets`;
  await run.ask("POST", at, { name: "Rex", categoryId: 1 });
  const profile = () => run.ask<Record<string, unknown>>("GET", `${at}/1/profile`);
  const photos = () => run.ask<readonly Photo[]>("GET", `${at}/1/photos`);
  return { id, at, page: `/accounts/${id}/animals/1`, profile, photos };
}

const toast = (page: Page) => page.locator(".toast").last();
const save = (page: Page) =>
  page.locator(".page-head").getByRole("button", { name: "Save changes" });
const add = async (page: Page, ...names: readonly string[]): Promise<void> => {
  const files = await Promise.all(
    names.map(async (name, index) => ({
      name,
      mimeType: name.endsWith(".png") ? "image/png" : "image/jpeg",
      buffer: Buffer.from(
        await (name.endsWith(".png") ? pngOf : jpegOf)({ width: 300 + index, height: 200 }),
      ),
    })),
  );
  await page.setInputFiles("input[type=file]", files);
};

test("every field of a profile is saved, emptied, and kept from the public if it is for staff", async () => {
  const shelter = await animal();
  const view = await openView(shelter.page);
  const { page } = view;
  expect(await save(page).isDisabled()).toBe(true);
  await page.getByLabel("Name", { exact: true }).fill("  Bello ");
  await page.getByLabel("Sex").selectOption({ label: "Male" });
  await page.getByLabel("Neutered").selectOption({ label: "Yes" });
  await page.getByLabel("Birth date given as").selectOption({ label: "Month and year" });
  await page.getByLabel("Date of birth").fill("2024-03");
  await page.getByLabel("Breed", { exact: true }).fill("Border Collie");
  await page.getByLabel("Mixed breed").selectOption({ label: "Yes" });
  await page.getByLabel("Colour").fill("black");
  await page.getByLabel("Size").selectOption({ label: "Medium" });
  await page.getByLabel("Good with children").selectOption({ label: "Yes" });
  await page.getByLabel("Good with cats").selectOption({ label: "Not tested" });
  await page.getByLabel("Adoption fee").fill("€ 250");
  await page.getByLabel("Special needs").fill("Eye drops");
  await page.getByLabel("Description").fill("Loves *long* walks.");
  await page.getByLabel("Microchip number").fill("276098106123456");
  await page.getByLabel("Staff notes").fill("Shy at the vet");
  await page.getByLabel("Intake date").fill("2026-11-20");
  await page.getByLabel("External number").fill("A4711");
  await page.getByLabel("External system").fill("asm3");
  await page.getByText("You have unsaved changes.").waitFor();
  await save(page).click();
  await toast(page).getByText("Saved Bello.").waitFor();
  expect(await shelter.profile()).toEqual({
    sex: "male",
    neutered: true,
    birth: { date: "2024-03-01", precision: "month" },
    breed: { text: "Border Collie", mixed: true },
    colour: "black",
    size: "medium",
    goodWith: { children: "yes", cats: "unknown" },
    specialNeeds: "Eye drops",
    fee: "€ 250",
    text: "Loves *long* walks.",
    staffNotes: "Shy at the vet",
    microchip: "276098106123456",
    externalId: "A4711",
    source: "asm3",
    intakeAt: "2026-11-20T00:00:00.000Z",
  });
  await page.getByRole("heading", { level: 1, name: "Bello" }).waitFor();
  await page.getByText("Profile or order of photos changed by").first().waitFor();

  await page.getByLabel("Good with cats").selectOption({ label: "Not known" });
  await page.getByLabel("Colour").fill("");
  await page.keyboard.press("Enter");
  await save(page).and(page.locator(":disabled")).waitFor();
  expect(await shelter.profile()).not.toHaveProperty("colour");
  expect((await shelter.profile())["goodWith"]).toEqual({ children: "yes" });
  expect(view.faults()).toEqual([]);
});

test("a value that is refused is marked at its field, and nothing typed is lost", async () => {
  const { page: path, profile } = await animal();
  const { page } = await openView(path);
  await page.getByLabel("Birth date given as").selectOption({ label: "Year only" });
  await page.getByLabel("Date of birth").fill("next year");
  await page.getByLabel("Colour").fill("black");
  await save(page).click();
  await page.getByText("Check this value.").waitFor();
  expect(await page.getByLabel("Date of birth").getAttribute("aria-invalid")).toBe("true");
  expect(await profile()).toEqual({});
  await page.getByLabel("Date of birth").fill("2024");
  await save(page).click();
  await toast(page).getByText("Saved Rex.").waitFor();
  expect(await profile()).toMatchObject({ colour: "black", birth: { precision: "year" } });
});

test("changes by others appear, except where the user is typing", async () => {
  const { page: path, at, profile } = await animal();
  const { page } = await openView(path);
  await page.getByLabel("Colour").fill("black");
  await run.ask("PATCH", `${at}/1/profile`, { colour: "brown", fee: "€ 90" });
  await run.ask("PATCH", `${at}/1`, { status: "pending" });
  await page.locator("[aria-pressed=true]", { hasText: "Reserved" }).waitFor();
  expect(await page.getByLabel("Colour").inputValue()).toBe("black");
  await save(page).click();
  await toast(page).getByText("Saved Rex.").waitFor();
  expect(await profile()).toMatchObject({ colour: "black", fee: "€ 90" });
});

test("photos are added, ordered by keyboard and by dragging, described, removed, and brought back", async () => {
  const { page: path, photos } = await animal();
  const view = await openView(path);
  const { page } = view;
  await add(page, "one.jpg", "two.png", "three.jpg");
  await page.getByText("3 of 12").waitFor();
  expect((await photos()).map(({ width }) => width)).toEqual([300, 301, 302]);
  await page.getByText("Added 3 photos.").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Move photo 3 forward" }).press("Enter");
  await page.getByText("The photo is now number 2 of 3.").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Move photo 1 back" }).press("Enter");
  await expectWidths(photos, [302, 300, 301]);

  await page.getByRole("button", { name: "Edit photo 1" }).click();
  const dialog = page.getByRole("dialog");
  const point = dialog.getByRole("button", { name: "Focus point" });
  await point.press("ArrowRight");
  await point.press("Shift+ArrowUp");
  await dialog.getByText("55 % from the left, 49 % from the top").waitFor();
  await dialog.getByLabel("Description").fill("Rex in the grass");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByRole("button", { name: "Save photo" }).click();
  await toast(page).getByText("Saved the photo.").waitFor();
  expect((await photos())[0]).toMatchObject({ alt: "Rex in the grass", focus: { x: 55, y: 49 } });

  await page.getByRole("button", { name: "Remove photo 1" }).click();
  await toast(page).getByText("Removed the photo.").waitFor();
  await expectWidths(photos, [300, 301]);
  await toast(page).getByRole("button", { name: "Undo" }).click();
  await page.getByText("3 of 12").waitFor();
  await expectWidths(photos, [302, 300, 301]);
  expect((await photos())[0]).toMatchObject({ alt: "Rex in the grass", focus: { x: 55, y: 49 } });
  const item = page.locator(".photos li");
  await item.nth(1).dragTo(item.nth(0));
  await expectWidths(photos, [300, 302, 301]);
  expect(view.faults()).toEqual([]);
});

/** Returns the addresses of the photos that the page shows, in their order. */
const shownPhotos = (page: Page): Promise<readonly string[]> =>
  page.locator(".photos img").evaluateAll((all) => all.map((one) => one.getAttribute("src") ?? ""));

/** Returns what the page shows until a promise is settled, and then. */
const shownUntil = async (page: Page, over: Promise<unknown>): Promise<readonly string[][]> => {
  const ended = { yet: false };
  void over.finally(() => (ended.yet = true)).catch(() => undefined);
  const seen: string[][] = [];
  while (!ended.yet) seen.push([...(await shownPhotos(page))]);
  await over;
  return [...seen, [...(await shownPhotos(page))]];
};

const ORDER = /\/pets\/1\/photos$/;

const orderAnswered = (page: Page, ...ids: readonly number[]): Promise<unknown> =>
  page.waitForResponse(
    (answer) =>
      ORDER.test(answer.url()) && String(answer.request().postData()).includes(ids.join()),
  );

test("of two moves the later one stays, however late the earlier one is answered", async () => {
  const { page: path, at, photos } = await animal();
  const { page } = await openView(path);
  await add(page, "one.jpg", "two.jpg", "three.jpg");
  await page.getByText("3 of 12").waitFor();
  const [one = "", two = "", three = ""] = await shownPhotos(page);
  const held = Promise.withResolvers<undefined>();
  await page.route(ORDER, (route) => held.promise.then(() => route.fallback()), { times: 1 });
  const both = Promise.all([orderAnswered(page, 1, 3, 2), orderAnswered(page, 3, 1, 2)]);
  await page.getByRole("button", { name: "Move photo 3 forward" }).press("Enter");
  // A list that is drawn again takes the focus from a button that moves.
  await page.getByText("The photo is now number 2 of 3.").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Move photo 2 forward" }).press("Enter");
  // Somebody else's change loads the animal again, whose photos have the old order.
  await run.ask("PATCH", `${at}/1/profile`, { colour: "brown" });
  while ((await page.getByLabel("Colour").inputValue()) !== "brown") await delay(10);
  expect(await shownPhotos(page)).toEqual([three, one, two]);
  held.resolve(undefined);
  for (const order of await shownUntil(page, both)) expect(order).toEqual([three, one, two]);
  await expectWidths(photos, [302, 300, 301]);
});

test("a photo that is removed before a move is answered stays away", async () => {
  const { page: path, photos } = await animal();
  const { page } = await openView(path);
  await add(page, "one.jpg", "two.jpg", "three.jpg");
  await page.getByText("3 of 12").waitFor();
  const [one = "", , three = ""] = await shownPhotos(page);
  const held = Promise.withResolvers<undefined>();
  await page.route(
    ORDER,
    async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const moved = orderAnswered(page, 1, 3, 2);
  await page.getByRole("button", { name: "Move photo 3 forward" }).press("Enter");
  await expectWidths(photos, [300, 302, 301]);
  await page.getByRole("button", { name: "Remove photo 3" }).click();
  await toast(page).getByText("Removed the photo.").waitFor();
  held.resolve(undefined);
  for (const order of await shownUntil(page, moved)) expect(order).toEqual([one, three]);
  await delay(100);
  expect(await shownPhotos(page)).toEqual([one, three]);
});

test("a photo that is added while a saved change is loaded does not bring the old values back", async () => {
  const { page: path } = await animal();
  // Without events, nothing else loads the animal again.
  const isStream = (route: Route): boolean => route.request().resourceType() === "eventsource";
  const noEvents = (route: Route) => (isStream(route) ? route.abort() : route.fallback());
  await tab.page.route(/\/events\?/, noEvents);
  const { page } = await openView(path);
  const profile = /\/pets\/1\/profile$/;
  const held = Promise.withResolvers<undefined>();
  const late = async (route: Route): Promise<void> => {
    if (route.request().method() === "GET") await held.promise;
    await route.fallback();
  };
  await page.route(profile, late);
  const loads = () =>
    page.waitForRequest((one) => one.method() === "GET" && profile.test(one.url()), {
      timeout: 5_000,
    });
  const first = loads();
  await page.getByLabel("Colour").fill("brown");
  await save(page).click();
  await first;
  const again = loads();
  await add(page, "one.jpg");
  await page.getByText("1 of 12").waitFor();
  await again;
  held.resolve(undefined);
  await toast(page).getByText("Saved Rex.").waitFor();
  while ((await page.getByLabel("Colour").inputValue()) !== "brown") await delay(10);
  await page.unroute(profile, late);
  await page.unroute(/\/events\?/, noEvents);
});

test("a picture that cannot become a photo is named with its reason, and the others are added", async () => {
  const { page: path, photos } = await animal();
  const { page } = await openView(path);
  const heic = { name: "IMG_1.HEIC", mimeType: "image/heic", buffer: Buffer.from("heic") };
  const broken = { name: "cut.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture") };
  const good = {
    name: "good.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from(await jpegOf({ width: 300, height: 200 })),
  };
  await page.setInputFiles("input[type=file]", [heic, broken, good]);
  await page.getByRole("alert").filter({ hasText: "IMG_1.HEIC" }).getByText("HEIC photo").waitFor();
  const refused = page.getByRole("alert").filter({ hasText: "cut.jpg" });
  await refused.getByRole("button", { name: "Try again" }).waitFor();
  await page.getByText("1 of 12").waitFor();
  expect(await photos()).toHaveLength(1);
  await refused.getByRole("button", { name: "Dismiss" }).click();
  await refused.waitFor({ state: "detached" });
});

/** Gives the tab the window and the touch screen of a phone, until it is disposed of. */
async function openPhone({ page }: Tab): Promise<AsyncDisposable> {
  const desktop = page.viewportSize() ?? { width: DESK.width, height: 860 };
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.setViewportSize({ width: 390, height: 640 });
  return {
    [Symbol.asyncDispose]: async () => {
      await devtools.detach();
      await page.setViewportSize(desktop);
    },
  };
}

test("on a phone the camera is offered, and asks iOS for a format that browsers can show", async () => {
  const { page: path, photos } = await animal();
  await using _phone = await openPhone(tab);
  const { page } = await openView(path);
  await page.getByRole("button", { name: "Take photo" }).waitFor();
  const camera = page.locator("input[capture=environment]");
  expect(await camera.getAttribute("accept")).toBe("image/jpeg,image/png,image/webp");
  const buffer = Buffer.from(await jpegOf({ width: 300, height: 400 }));
  await camera.setInputFiles({ name: "image.jpg", mimeType: "image/jpeg", buffer });
  await page.getByText("1 of 12").waitFor();
  expect(await photos()).toHaveLength(1);
});

test("a viewer sees no data for staff alone, and is offered no action that would be refused", async () => {
  const { id, page: path, at } = await animal();
  await run.ask("PATCH", `${at}/1/profile`, {
    colour: "black",
    staffNotes: "CANARY-NOTES",
    microchip: "CANARY-CHIP",
  });
  await run.addPhoto(`${at}/1/photos`, await jpegOf({ width: 300, height: 200 }));
  const email = "vera@example.org";
  const { link } = await run.ask<{ link: { url: string } }>("POST", `/accounts/${id}/members`, {
    email,
    name: "Vera",
    role: "viewer",
  });
  const { password } = operator;
  const taken = await fetch(`${run.origin}/manage/v1/reset`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ token: new URL(link.url).hash.slice(1), password }),
  });
  expect(taken.status).toBe(201);
  const who = { email, password };
  await using theirs = await run.openAs(browser, DESK, who, `/accounts/${id}/animals`);
  const { page, faults } = theirs;
  await page.getByRole("row").filter({ hasText: "Rex" }).getByText("Available").waitFor();
  expect(await page.getByRole("button", { name: "Add animal" }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Import" }).count()).toBe(0);
  expect(await page.getByRole("group").count()).toBe(0);
  await page.getByRole("button", { name: "More for Rex" }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Show adoptions"]);
  expect(await page.content()).not.toContain("CANARY");

  await follow(page, path);
  await page.getByText("Your role can view this animal but not change it.").waitFor();
  expect(await page.getByLabel("Colour").inputValue()).toBe("black");
  expect(await page.getByLabel("Colour").isDisabled()).toBe(true);
  expect(await page.content()).not.toContain("CANARY");
  expect(await page.getByText("Only for staff").count()).toBe(0);
  expect(await page.locator(".photos img").count()).toBe(1);
  expect(await page.getByRole("main").getByRole("button").count()).toBe(1);
  await page.getByText("Photo added").waitFor();
  expect(await page.getByText("by Olga").count()).toBe(0);
  expect(faults).toEqual([]);
});

async function expectWidths(
  photos: () => Promise<readonly Photo[]>,
  widths: readonly number[],
): Promise<void> {
  let found: readonly number[] = [];
  for (let turn = 0; turn < 100 && found.join() !== widths.join(); turn++) {
    found = (await photos()).map(({ width }) => width);
  }
  expect(found).toEqual(widths);
}

test("an animal that a site shows has links to its page there", async () => {
  const { id, page: path, at } = await animal();
  const site = await run.ask<{ readonly url: string }>("POST", `/accounts/${id}/projects`, {
    name: "Happy Tails",
    slug: "happy-tails",
    filter: { statuses: ["available", "pending"] },
  });
  await run.ask("POST", "/projects/happy-tails/deploys", { source: "starter" });
  const view = await openView(path);
  const link = view.page.getByRole("link", { name: "Show on Happy Tails" });
  const href = await link.getAttribute("href");
  expect(href).toBe(`${site.url}/animals/1`);
  expect((await fetch(href ?? "")).status).toBe(200);
  await run.ask("PATCH", `${at}/1`, { status: "sold" });
  await link.waitFor({ state: "detached" });
  await run.ask("PATCH", `${at}/1`, { status: "available" });
  const { page } = await openView(`/accounts/${id}/animals`);
  await page.getByRole("button", { name: "More for Rex" }).click();
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("menuitem", { name: "Show on Happy Tails" }).click(),
  ]);
  expect(opened.url()).toBe(href ?? "");
  await opened.close();
  expect(view.faults()).toEqual([]);
});

test("the message that leads to an animal's photos disappears on its page", async () => {
  const { id } = await animal();
  const { page } = await openView(`/accounts/${id}/animals`);
  await page.getByRole("button", { name: "Add animal" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Luna");
  await page.getByLabel("Category").last().selectOption({ index: 0 });
  await page.getByRole("button", { name: "Save animal" }).click();
  await toast(page).getByText("Added Luna.").waitFor();
  await page.getByRole("link", { name: "Luna" }).click();
  await page.getByText("Drop photos here").waitFor();
  expect(await page.locator(".toast").count()).toBe(0);
});

test("on a site, photos that arrive late move nothing, on phone and desktop", async () => {
  const { id, at } = await animal();
  for (let pet = 2; pet <= 12; pet++) {
    await run.ask("POST", at, { name: `Pet ${pet}`, categoryId: 1 });
    await run.addPhoto(`${at}/${pet}/photos`, await jpegOf({ width: 60 + 9 * pet, height: 90 }));
  }
  for (let photo = 1; photo <= 12; photo++) {
    await run.addPhoto(`${at}/1/photos`, await jpegOf({ width: 80, height: 40 + 9 * photo }));
  }
  const project = { name: "Late", slug: "late" };
  const { url } = await run.ask<{ url: string }>("POST", `/accounts/${id}/projects`, project);
  await run.ask("POST", "/projects/late/deploys", { source: "starter" });
  await using visitor = await openTab(browser, { width: 320, scheme: "light" });
  const { page } = visitor;
  await watchShifts(page);
  for (const [width, path, photos] of [
    [320, "/", 12],
    [320, "/animals/1", 16],
    [1280, "/", 12],
    [1280, "/animals/1", 16],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    const held: (() => void)[] = [];
    await page.route("**/photos/**", async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await page.goto(url + path, { waitUntil: "domcontentloaded" });
    expect(await page.locator("main img").count()).toBe(photos);
    // Lazy ones are asked for when they come near.
    const loading = page.evaluate(`(async () => {
      for (const image of document.images) {
        image.scrollIntoView();
        await image.decode();
      }
    })()`);
    const release = setInterval(() => held.splice(0).forEach((one) => one()), 20);
    await loading;
    clearInterval(release);
    expect([width, path, await shiftsOf(page)]).toEqual([width, path, []]);
    await page.unroute("**/photos/**");
  }
});
