import type { BunPlugin } from "bun";

/** Leaves out of the table of refusals what each is called: no page shows that, and everybody would load it first. */
export const withoutTitles: BunPlugin = {
  name: "without titles",
  setup: (build) => {
    build.onLoad({ filter: /lib\/base\/problem\.ts$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      return { loader: "ts", contents: source.replaceAll(/,\s+title: "[^"]*"/g, "") };
    });
  },
};
