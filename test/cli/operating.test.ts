import { expect, test } from "bun:test";

import { commands } from "../../cli/commands.ts";
import { exitCodes } from "../../settings/failure.ts";
import { configOption, optionEntries } from "../../settings/options.ts";
import { environmentName } from "../../settings/option.ts";
import { section } from "../helpers/section.ts";

const PAGE = "docs/operating.md";

test("docs/operating.md lists every option", async () => {
  const rows = [...optionEntries.map(([, option]) => option), configOption].map((option) => {
    const secret = "secret" in option ? option.secret : undefined;
    const fileOnly = "fileOnly" in option && option.fileOnly;
    const variable = `\`${environmentName(option.name)}\``;
    const flag = secret === true ? "no flag; " : `\`--${option.name}\`, `;
    const file = secret === undefined ? "" : `, \`${environmentName(option.name)}_FILE\``;
    const written = fileOnly ? "configuration file only" : `${flag}${variable}${file}`;
    return `| \`${option.name}\` | ${written} | ${option.defaultText} | ${option.help} |`;
  });
  const table = ["| option | flag, environment | default | |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
  expect(await section(PAGE, "options", table)).toBe(table);
});

test("docs/operating.md lists every command", async () => {
  const rows = commands.map(({ path, operands, summary }) => {
    const named = Object.values(operands).map(({ placeholder, optional }) =>
      optional ? `[${placeholder}]` : placeholder,
    );
    // A bar ends a cell, even in code.
    const usage = [path, ...named].join(" ").replaceAll("|", String.raw`\|`);
    return `| \`${usage}\` | ${summary} |`;
  });
  const table = ["| command | |", "|---|---|", ...rows].join("\n");
  expect(await section(PAGE, "commands", table)).toBe(table);
});

test("docs/operating.md lists every exit code", async () => {
  const page = await Bun.file(new URL(`../../${PAGE}`, import.meta.url)).text();
  const documented = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(documented).toEqual(Object.values(exitCodes));
});

test("the systemd unit and the documented container have the same memory limit", async () => {
  const unit = await Bun.file("docs/petstore.service").text();
  const page = await Bun.file("docs/operating.md").text();
  expect(unit).toMatch(/^MemoryMax=1G$/m);
  expect(unit).toMatch(/^MemoryHigh=768M$/m);
  expect(page).toMatch(/^docker run [^]*?--memory 1g /m);
});
