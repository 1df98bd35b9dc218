import type { Page } from "playwright-core";

import { DOMAIN, REQUEST, type RichShelter } from "./rich-shelter.ts";
import { tarGzOf } from "./tar.ts";

/** A page of the dashboard in one state. */
export interface View {
  readonly name: string;
  readonly path: (shelter: RichShelter) => string;
  /** A text that is visible once the view is loaded. */
  readonly shows: string | RegExp;
  /** Runs before the checks. */
  readonly first?: (page: Page) => Promise<unknown>;
}

const inAccount = (
  name: string,
  view: string,
  shows: View["shows"],
  first?: View["first"],
): View => ({
  name,
  path: (shelter) => `${shelter.account}${view}`,
  shows,
  ...(first === undefined ? {} : { first }),
});
const empty = (view: string, shows: string): View => ({
  name: `empty-${view}`,
  path: (shelter) => `${shelter.empty}/${view}`,
  shows,
});
const inProject = (
  name: string,
  view: string,
  shows: View["shows"],
  first?: View["first"],
): View => ({
  ...inAccount(name, "", shows, first),
  path: (shelter) => `${shelter.project}${view}`,
});
const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();
const dialog = (name: string) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole("dialog").waitFor();
};

async function chooseFile(page: Page, text: string): Promise<void> {
  const buffer = Buffer.from(text);
  await page.setInputFiles("input[type=file]", { name: "a.csv", mimeType: "text/csv", buffer });
  await page.getByRole("region", { name: "Preview" }).waitFor();
}

const askingFile =
  "name,category,birth,stauts,notes\nRex,dogs,01/06/2025,sold,shy\nHoppel,Hamsters,,weg,\n,Cats,,sold,\n";

/** The views of an operator. */
export const signedIn: readonly View[] = [
  inAccount("overview", "/overview", /^\d+ of 10,000 daily requests used$/),
  inAccount("animals", "/animals", /^\d+ animals$/),
  inAccount("animals-add", "/animals", /^\d+ animals$/, dialog("Add animal")),
  inAccount("animal", "/animals/2", "History"),
  inAccount("animal-changed", "/animals/2", "History", async (page) => {
    await page.getByLabel("Colour").fill("black and white");
    await page.getByText("You have unsaved changes.").waitFor();
  }),
  inAccount("animal-photo", "/animals/2", "History", async (page) => {
    await page.getByRole("button", { name: "Edit photo 1" }).click();
    await page.getByRole("dialog").locator("img").waitFor();
  }),
  inAccount("animal-refused-photo", "/animals/2", "History", async (page) => {
    const buffer = Buffer.from("heic");
    const file = { name: "IMG_0001.HEIC", mimeType: "image/heic", buffer };
    await page.setInputFiles("input[type=file]", file);
    await page.getByRole("alert").waitFor();
  }),
  inAccount("animals-selected", "/animals", /^\d+ animals$/, async (page) => {
    await page.getByRole("checkbox", { name: "Select all shown" }).check();
    await page.getByRole("button", { name: "Set status" }).waitFor();
  }),
  inAccount("animals-photos", "/animals", /^\d+ animals$/, async (page) => {
    await dialog("Add photos")(page);
    const file = { mimeType: "image/jpeg", buffer: Buffer.from("x") };
    const names = ["Mimi.jpg", "Mimi 2.jpg", "7.jpg", "IMG_20261126_101112.jpg"];
    await page
      .getByRole("dialog")
      .locator("input[type=file]")
      .setInputFiles(names.map((name) => ({ ...file, name })));
    await page.getByText("1 file is left out:").waitFor();
  }),
  inAccount("categories", "/categories", "Other"),
  inAccount("deleted", "/deleted", "Gone"),
  inAccount("import", "/import", "Choose files"),
  inAccount("import-preview", "/import", "Choose files", (page) => chooseFile(page, askingFile)),
  inAccount("import-done", "/import", "Choose files", async (page) => {
    await chooseFile(page, "name,category\nHugo the first,dogs\nHugo the second,Cats\n");
    await press("Import 2 animals")(page);
    await page.getByText("2 animals added").waitFor();
  }),
  inAccount("orders", "/orders", /^\d+ adoptions?$/),
  inAccount("orders-adopter", "/orders?order=1", "Save adopter"),
  inAccount("enquiries", "/enquiries", "1 enquiry"),
  inAccount("enquiries-open", "/enquiries?enquiry=1", "Save enquiry"),
  inAccount("keys", "/keys", "greedy"),
  inAccount("keys-create", "/keys", "greedy", dialog("Create key")),
  inAccount("keys-issued", "/keys", "greedy", async (page) => {
    await dialog("Create key")(page);
    await page.getByLabel("Name", { exact: true }).fill("app");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your new API key" }).waitFor();
  }),
  inAccount("webhooks", "/webhooks", "Newsletter"),
  inAccount("webhooks-add", "/webhooks", "Newsletter", async (page) => {
    await dialog("Add webhook")(page);
    await page.getByLabel("Only some").check();
    await page.getByLabel("Adoptions").waitFor();
  }),
  inAccount("webhooks-issued", "/webhooks", "Newsletter", async (page) => {
    await dialog("Add webhook")(page);
    await page.getByLabel("Address").fill("https://chat.shelter.example/hooks");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Secret of the webhook" }).waitFor();
  }),
  inAccount("webhooks-deliveries", "/webhooks", "Newsletter", async (page) => {
    await page.getByRole("button", { name: /^More for newsletter/ }).click();
    await page.getByRole("menuitem", { name: "Show deliveries" }).click();
    await page.getByRole("dialog").getByText("pet.created").first().click();
    await page.getByRole("heading", { name: "Message" }).waitFor();
  }),
  inAccount("usage", "/usage", "Show as table", (page) => page.getByRole("slider").waitFor()),
  inAccount("activity", "/activity", "Showing the newest 50"),
  inAccount("activity-filtered", "/activity?what=animals&actor=command", "Clear filters"),
  inAccount("requests", "/requests", /requests$/),
  inAccount("requests-explained", `/requests?request=${REQUEST}`, "What to do"),
  inAccount("requests-unknown", "/requests?request=req_mwos3u0tfQ7dXvZ241", /^Petstore made/),
  inAccount("people", "/people", "a.very.long.name.of.somebody@shelter.example"),
  inAccount("people-add", "/people", "Invited", dialog("Add person")),
  inAccount("projects", "/projects", /You can restore it until/),
  inAccount("projects-add", "/projects", /You can restore it until/, dialog("Create project")),
  inAccount("account", "", "nightly import"),
  inProject("deploys", "", "Pinned"),
  inProject("deploys-refused", "", "Pinned", async (page) => {
    const file = { name: "a.tgz", mimeType: "application/gzip", buffer: Buffer.from("no archive") };
    await page.setInputFiles("input[accept]", file);
    await page.getByRole("button", { name: "Upload site" }).click();
    await page.getByRole("alert").waitFor();
  }),
  inProject("project-site", "/site", "Save site"),
  inProject("project-settings", "/settings", "Delete project"),
  inProject("domains", "/domains", DOMAIN),
  inProject("domains-add", "/domains", DOMAIN, async (page) => {
    await dialog("Add domain")(page);
    await page.getByLabel("Domain or subdomain").fill("www.shelter.org");
    await page.getByText("DNS is ready.").or(page.getByText("did not respond")).first().waitFor();
  }),
  inProject("domain", `/domains/${DOMAIN}`, "Timeline"),
  inProject("deploys-adopt", "", "Pinned", async (page) => {
    const files = [
      { name: "animals/3/bio.md", content: "A text" },
      { name: "animals/99999/bio.md", content: "A text" },
    ];
    const file = { name: "a.tgz", mimeType: "application/gzip" };
    await page.setInputFiles("input[accept]", { ...file, buffer: Buffer.from(tarGzOf(files)) });
    await press("Upload site")(page);
    await page.getByText("The deploy is live.").waitFor();
    await dialog("Move files into profiles")(page);
    await page.getByRole("dialog").getByRole("button", { name: "Move files" }).click();
    await page.getByText("1 file stays in the deploy:").waitFor();
  }),
  empty("overview", "The account was created"),
  empty("animals", "No animals yet"),
  empty("orders", "No adoptions yet"),
  empty("keys", "No production keys yet"),
  empty("webhooks", "No webhooks yet"),
  empty("usage", "No requests yet"),
  empty("requests", "No requests yet"),
  empty("people", "No people yet"),
  empty("projects", "No projects yet"),
  { name: "accounts", path: () => "/accounts", shows: "Asleep" },
  {
    name: "accounts-add",
    path: () => "/accounts",
    shows: "Asleep",
    first: dialog("Create account"),
  },
  { name: "system", path: () => "/system", shows: "Database" },
  { name: "profile", path: () => "/profile", shows: "This browser" },
  { name: "not-found", path: () => "/nowhere", shows: "Page not found" },
];

/** The views of a visitor. */
export const signedOut: readonly View[] = [
  { name: "sign-in", path: () => "/sign-in", shows: "Forgot your password?" },
  { name: "reset", path: (shelter) => shelter.link, shows: "Welcome, Ursula." },
  { name: "reset-over", path: () => "/reset#pet_reset_nonsense", shows: /no longer valid/ },
  { name: "share", path: (shelter) => shelter.share, shows: "Enter these records" },
  { name: "share-over", path: () => "/share#pet_share_nonsense", shows: "does not work any more" },
  { name: "setup-no-link", path: () => "/setup", shows: "This page needs a setup link" },
  { name: "docs", path: () => "/docs", shows: "List animals" },
  { name: "docs-management", path: () => "/docs/management", shows: "All operations" },
  { name: "docs-operations", path: () => "/docs/management/keys", shows: "Create an API key" },
  { name: "help", path: () => "/help", shows: "Operating" },
  { name: "help-german", path: () => "/help/de", shows: "Befunde" },
  { name: "help-page", path: () => "/help/operating", shows: "Starting" },
];

/** Console messages of a request that is refused before sign-in, and of a missing page. */
export const EXPECTED_FAULT = /status of 40[14]/;
