import { MAX_OLD_SLUGS } from "../../publishing/model/project.ts";
import { equal } from "../assert.ts";
import { START } from "../shelter.ts";
import type { ProjectStoreCase } from "./case.ts";
import { aProject, openKennel, REDIRECTS_MS } from "./kennel.ts";

/** Promises about slugs and what they leave behind. */
export const slugCases: readonly ProjectStoreCase[] = [
  {
    name: "an old slug leads to its project until its time is over",
    run: async (open) => {
      const { projectStore, addProject, rename } = await openKennel(open);
      const project = await rename(await addProject("one", { slug: "old" }), "new");
      const redirectsUntil = START + REDIRECTS_MS;
      const { projects } = projectStore;
      equal(await projects.bySlug("new", START), { project }, "new");
      equal(await projects.bySlug("old", redirectsUntil - 1), { project, redirectsUntil }, "old");
      equal(await projects.bySlug("old", redirectsUntil), undefined, "over");
    },
  },
  {
    name: "nobody else takes an old slug while it leads to its project, and anybody after that",
    run: async (open) => {
      const { projectStore, addProject, rename, refusal } = await openKennel(open);
      await rename(await addProject("one", { slug: "old" }), "new");
      const early = aProject("two", { slug: "old", createdAt: START + REDIRECTS_MS - 1 });
      const create = { kind: "project.create", atMost: 9 } as const;
      equal((await refusal({ ...create, project: early })).refusal, "taken", "too early");
      const other = await addProject("three");
      const to = { ...other, slug: "old" };
      const update = { kind: "project.update", from: other, to, oldSlugUntil: START } as const;
      equal((await refusal({ ...update, at: START })).refusal, "taken", "by renaming");
      const late = START + REDIRECTS_MS;
      const project = await addProject("two", { slug: "old", createdAt: late });
      equal(await projectStore.projects.bySlug("old", late), { project }, "its new owner's");
    },
  },
  {
    name: "a project takes back a slug that it had",
    run: async (open) => {
      const { projectStore, addProject, rename } = await openKennel(open);
      const renamed = await rename(await addProject("one", { slug: "old" }), "new");
      const project = await rename(renamed, "old");
      const redirectsUntil = START + REDIRECTS_MS;
      const { projects } = projectStore;
      equal(await projects.bySlug("old", redirectsUntil), { project }, "its own again");
      equal(
        await projects.bySlug("new", START),
        { project, redirectsUntil },
        "the other way round",
      );
    },
  },
  {
    name: "a refused slug leaves the project with the one it had",
    run: async (open) => {
      const { projectStore, addProject, refusal } = await openKennel(open);
      await addProject("two", { slug: "two" });
      const from = await addProject("one", { slug: "one" });
      const to = { ...from, slug: "two", name: "Other" };
      const change = { kind: "project.update", from, to, oldSlugUntil: START + 9 } as const;
      equal((await refusal({ ...change, at: START })).refusal, "taken", "refusal");
      equal(await projectStore.projects.bySlug("one", START + 99), { project: from }, "as it was");
    },
  },
  {
    name: "of many old slugs the last ones are remembered",
    run: async (open) => {
      const { projectStore, addProject, rename } = await openKennel(open);
      let project = await addProject("one", { slug: "slug-0" });
      for (let count = 1; count <= MAX_OLD_SLUGS + 1; count++) {
        project = await rename(project, `slug-${count}`, START + count);
      }
      const leads = async (slug: string): Promise<boolean> =>
        (await projectStore.projects.bySlug(slug, START)) !== undefined;
      equal(await leads("slug-0"), false, "the oldest");
      equal(await leads("slug-1"), true, "the oldest of the last ones");
      equal(await leads(`slug-${MAX_OLD_SLUGS + 1}`), true, "its own");
    },
  },
  {
    name: "slugs that lead nowhere any more are purged, and no others",
    run: async (open) => {
      const { projectStore, addProject, rename, commit } = await openKennel(open);
      await rename(await addProject("one", { slug: "old" }), "new");
      await commit({ kind: "slugs.purge", now: START + REDIRECTS_MS - 1, limit: 9 });
      const { projects } = projectStore;
      equal((await projects.bySlug("old", START))?.project.id, "one", "not over");
      await commit({ kind: "slugs.purge", now: START + REDIRECTS_MS, limit: 9 });
      equal(await projects.bySlug("old", START), undefined, "over");
      equal((await projects.bySlug("new", START))?.project.id, "one", "its own");
    },
  },
];
