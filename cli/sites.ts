import type { AdoptedFiles, SiteView, SkippedFile } from "../lib/management/index.ts";
import {
  onOrOff,
  schemes,
  siteFields,
  siteLanguages,
  type SiteChange,
} from "../lib/publishing/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { oneOf } from "../settings/values.ts";
import type { Problem } from "../lib/base/problem.ts";
import { done, type Result } from "../lib/base/result.ts";
import { optional, type Command, type Context } from "./command.ts";
import { given, projectOperand } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, writeTable, yesFlag } from "./output.ts";

/** An empty value removes the setting. */
const removable = (name: string, placeholder: string, help: string) =>
  optional({
    name,
    placeholder,
    help: `${help} An empty value removes it.`,
    parse: (written) => done(written),
  });

/** One of `values`; an empty one removes the setting. */
const oneOfRemovable = <const Value extends string>(
  name: string,
  values: readonly Value[],
  help: string,
) =>
  optional<Value | "">({
    name,
    placeholder: name.toUpperCase(),
    help: `${help}: ${values.join(", ")}. An empty value removes it.`,
    parse: Object.assign(
      (written: string) => (written === "" ? done("" as const) : oneOf(values)(written)),
      { choices: values },
    ),
  });

const settingFlags = {
  language: oneOfRemovable("language", siteLanguages, "Language of the storefront's own texts"),
  title: removable("title", "TEXT", "Name of the site."),
  heading: removable("heading", "TEXT", "Heading above the animals."),
  intro: removable("intro", "TEXT", "Introduction below the heading."),
  contactName: removable("contact-name", "TEXT", "Name above the contact details."),
  email: removable("email", "ADDRESS", "Email address for visitors."),
  phone: removable("phone", "NUMBER", "Telephone number for visitors."),
  address: removable("address", "TEXT", "Street address."),
  hours: removable("hours", "TEXT", "Opening hours."),
  website: removable("website", "URL", "Address of your website."),
  donate: removable("donate", "URL", "Where visitors donate: https:, http: or mailto:."),
  visit: removable(
    "visit",
    "URL",
    "Where visitors arrange a visit: https:, http:, mailto: or tel:.",
  ),
  enquiries: oneOfRemovable("enquiries", onOrOff, "The enquiry form of each animal"),
  logo: removable("logo", "PATH", "Path of an image in the live deploy, such as /logo.png."),
  accent: removable("accent", "COLOUR", "Accent colour, such as #2f6f4f."),
  scheme: oneOfRemovable("scheme", schemes, "Colours of the storefront"),
} as const;

export const siteCommands: readonly Command[] = [
  operation({
    path: "sites show",
    summary: "Show the settings of a site, and where each of them is from",
    details:
      "A setting is from petstore.site.json of the live deploy, which wins, or from the project, or a default.",
    operands: { project: projectOperand },
    examples: ["sites show brave-otter-1f2e", "sites show brave-otter-1f2e --json"],
    call: async ({ call }, { operands: { project } }) =>
      must(await call("GET /projects/:project/site", { project })),
    show: (site, { context }) => showSite(site, context),
  }),
  operation({
    path: "sites adopt",
    summary: "Move the photos and texts of animals from the live deploy into their profiles",
    details:
      "Copies animals/ID/photo.jpg and animals/ID/bio.md of the live deploy into the profiles of the animals, then publishes the deploy again without these files. Visitors see the same site; from then on the photos and texts are changed in the profiles. Files that contradict a profile, or belong to no animal, stay. `deploys rollback` brings the files back. It can be repeated.",
    operands: { project: projectOperand },
    flags: { yes: yesFlag },
    examples: ["sites adopt brave-otter-1f2e --yes"],
    before: ({ flags, operands: { project }, context }) =>
      confirm(
        context.terminal,
        `Move the animals' files of ${project} into their profiles?`,
        flags.yes,
      ),
    call: async ({ call }, { operands: { project }, context }) => {
      const adopted: string[] = [];
      const skipped: SkippedFile[] = [];
      let deploy: string | undefined;
      for (let after: number | undefined = 0; after !== undefined;) {
        const page: Result<AdoptedFiles, Problem> = await call("POST /projects/:project/adopt", {
          project,
          body: { after },
        });
        const seconds = page.ok ? undefined : page.failure.retryAfterSeconds;
        if (seconds !== undefined) {
          await context.clock.sleep(seconds * 1_000);
          continue;
        }
        const found: AdoptedFiles = must(page);
        adopted.push(...found.adopted);
        skipped.push(...found.skipped);
        deploy ??= found.deploy;
        after = found.next;
      }
      const paths = adopted;
      const body = { paths, ...given({ deploy }) };
      const finished = must(await call("POST /projects/:project/adopt/finish", { project, body }));
      return { adopted, skipped, deploy: finished.deploy };
    },
    show: async ({ adopted, skipped, deploy }, { context: { terminal } }) => {
      for (const { path, message } of skipped) terminal.fault(`${path} stays: ${message}\n`);
      terminal.err(
        adopted.length === 0
          ? "There was nothing to move.\n"
          : `${adopted.length} ${adopted.length === 1 ? "file is" : "files are"} in profiles now.\n`,
      );
      await terminal.out(`${deploy}\n`);
    },
  }),
  operation({
    path: "sites set",
    summary: "Change the settings of a site, such as its language, texts and contact",
    details: "Visitors see the change within a second. Omitted settings stay unchanged.",
    operands: { project: projectOperand },
    flags: settingFlags,
    examples: [
      'sites set brave-otter-1f2e --language de --title "Tierheim Sonnenhof"',
      'sites set brave-otter-1f2e --email hello@example.org --hours "Sat 10–16" --phone ""',
    ],
    before: ({ flags }) => {
      const change = changeOf(flags);
      if (Object.keys(change).length === 0) {
        throw new Failure("usage", "No change given: add --title, --email or another option.");
      }
      return change;
    },
    call: async ({ call }, { operands: { project } }, change) =>
      must(await call("PATCH /projects/:project/site", { project, body: change })),
    show: (site, { context }) => showSite(site, context),
  }),
];

/** Returns the change that the flags ask for. */
function changeOf(flags: {
  readonly [Name in keyof typeof settingFlags]: string | undefined;
}): SiteChange {
  const set = siteFields.map((name) => [name, flags[name] === "" ? null : flags[name]] as const);
  // The flags are named like the settings; the service checks their values.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return given(Object.fromEntries(set)) as SiteChange;
}

async function showSite(
  { settings, shown, deployWins, storefront }: SiteView,
  { terminal }: Context,
): Promise<void> {
  const origin = (name: (typeof siteFields)[number]): string => {
    if (deployWins.includes(name)) return "petstore.site.json";
    return settings[name] === undefined ? "default" : "project";
  };
  const rows = siteFields.flatMap((name) => {
    const value = shown[name];
    return value === undefined ? [] : [[name, value.replaceAll("\n", " "), origin(name)]];
  });
  await writeTable(terminal, ["SETTING", "VALUE", "FROM"], rows);
  const overruled = deployWins.filter((name) => settings[name] !== undefined);
  if (overruled.length > 0) {
    terminal.err(`petstore.site.json of the live deploy wins over: ${overruled.join(", ")}\n`);
  }
  if (!storefront) {
    terminal.err("The live deploy turns the storefront off: these settings have no effect.\n");
  }
}
