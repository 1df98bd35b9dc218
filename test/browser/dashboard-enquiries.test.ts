import { expect, test } from "bun:test";

import type { Account } from "../../lib/model/account.ts";
import { openDesk } from "../helpers/desk.ts";

const { run, browser, openView } = await openDesk();

/** Creates a shelter with a site and one animal. */
async function shelter(slug: string) {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside", plan: "pro" });
  const at = `/accounts/${id}/production`;
  await run.ask("POST", `${at}/pets`, { name: "Rex", categoryId: 1 });
  const project = await run.ask<{ readonly url: string }>("POST", `/accounts/${id}/projects`, {
    name: "Brightside",
    slug,
  });
  await run.ask("POST", `/projects/${slug}/deploys`, { source: "starter" });
  return { id, at, site: project.url };
}

test("a visitor asks without JavaScript, and staff answer, take notes and delete", async () => {
  const { id, at, site } = await shelter("brightside");
  const inbox = await openView(`/accounts/${id}/enquiries`);
  await inbox.page.getByText("No enquiries yet").waitFor();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const visitor = await context.newPage();
  await visitor.goto(`${site}/animals/1`);
  await visitor.getByRole("link", { name: "Ask about Rex" }).click();
  await visitor.getByLabel("Your name").fill("Kim Petersen");
  await visitor.getByLabel("Your email address").fill("kim@example.com");
  await visitor.getByLabel("Your message").fill("Does Rex like cats?\nWe have two.");
  await visitor.getByRole("checkbox").check();
  // Sent too quickly, the form comes back with everything that was typed.
  const thanks = visitor.getByRole("heading", { name: "Thank you" });
  for (let attempts = 0; !(await thanks.isVisible()); attempts++) {
    expect(await visitor.getByLabel("Your message").inputValue()).toContain("like cats?\nWe have");
    expect(await visitor.getByRole("checkbox").isChecked()).toBe(true);
    await Promise.all([
      visitor.waitForNavigation(),
      visitor.getByRole("button", { name: "Send enquiry" }).click(),
    ]);
  }
  expect(new URL(visitor.url()).pathname).toBe("/animals/1/enquiry/sent");
  await context.close();

  const { page } = inbox;
  const entry = page.getByRole("navigation").getByRole("link", { name: "Enquiries" });
  await entry.getByText("1 new").waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("link", { name: "1 new enquiry" }).click();
  await page.getByRole("button", { name: "Open the enquiry from Kim Petersen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Does Rex like cats?").waitFor();
  expect(await dialog.getByRole("link", { name: "Reply by email" }).getAttribute("href")).toBe(
    "mailto:kim%40example.com?subject=Your%20enquiry%20about%20Rex",
  );
  await dialog.getByLabel("Status").selectOption({ label: "Answered" });
  await dialog.getByLabel("Notes").fill("Visit on Friday");
  await dialog.getByRole("button", { name: "Save enquiry" }).click();
  await dialog.waitFor({ state: "detached" });
  await entry.getByText("1 new").waitFor({ state: "detached" });
  expect(await run.ask("GET", `${at}/enquiries/1`)).toMatchObject({
    state: "answered",
    notes: "Visit on Friday",
    changedBy: { kind: "member", name: "Olga" },
  });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export enquiries as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("enquiries.csv");
  await page.getByRole("button", { name: "More for Kim Petersen" }).click();
  await page.getByRole("menuitem", { name: "Delete enquiry" }).click();
  await dialog.getByRole("button", { name: "Delete enquiry" }).click();
  await page
    .getByText(/No enquir/)
    .first()
    .waitFor();
  expect(await run.ask<readonly unknown[]>("GET", `${at}/enquiries`)).toEqual([]);
  expect(inbox.faults()).toEqual([]);
});
