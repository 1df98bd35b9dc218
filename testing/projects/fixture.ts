import { system } from "../../lib/model/actor.ts";
import { blobNames, type Deploy, type Manifest } from "../../lib/publishing/model/deploy.ts";
import type { Project } from "../../lib/publishing/model/project.ts";
import {
  deployOf,
  projectOf,
  type ProjectChange,
  type ProjectConflict,
  type ProjectOutcome,
} from "../../lib/publishing/project-store.ts";
import type { ProjectStore } from "../../lib/publishing/project-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import { BrokenContract, casesOf } from "../contract-case.ts";
import { addShelter, START } from "../shelter.ts";

/** Stores over the same database. */
export interface ProjectStores {
  readonly store: Store;
  readonly projectStore: ProjectStore;
}

/** One guarantee of the port `ProjectStore`. Throws when an adapter violates it. */
export interface ProjectStoreCase {
  readonly name: string;
  /** `open` makes empty stores on each call and closes them after the case. */
  readonly run: (open: () => Promise<ProjectStores>) => Promise<void>;
}

/** Returns the cases of tests that each run with a fixture of their own. */
export function projectStoreCases(
  tests: Readonly<Record<string, (fixture: ProjectFixture) => Promise<void>>>,
): readonly ProjectStoreCase[] {
  return casesOf(openProjectFixture, tests);
}

/** Stores with one account, and helpers to change its projects. */
export interface ProjectFixture extends ProjectStores {
  readonly accountId: string;
  /** Commits changes. A refusal breaks the contract. */
  readonly commit: (...changes: readonly ProjectChange[]) => Promise<readonly ProjectOutcome[]>;
  /** Commits changes that must be refused, and returns the refusal. */
  readonly refusal: (...changes: readonly ProjectChange[]) => Promise<ProjectConflict>;
  readonly addProject: (id: string, more?: Partial<Project>) => Promise<Project>;
  readonly rename: (from: Project, slug: string, at?: number) => Promise<Project>;
  /** Adds a ready deploy. */
  readonly addDeploy: (id: string, more?: Partial<Deploy>) => Promise<Deploy>;
  readonly activate: (deployId: string, back?: boolean, at?: number) => Promise<Deploy>;
  /** Releases the blobs of all deleted and failed deploys. */
  readonly releaseAll: () => Promise<void>;
}

/** How long old slugs redirect in these tests. */
export const REDIRECTS_MS = 1_000;

export function aProject(id: string, more: Partial<Project> = {}): Project {
  return {
    id,
    accountId: "acc_one",
    slug: `slug-of-${id}`,
    name: `Project ${id}`,
    filter: { categoryIds: [1, 2], statuses: ["available"] },
    theme: { accent: "#1f6feb", scheme: "dark" },
    version: 1,
    createdAt: START,
    updatedAt: START,
    ...more,
  };
}

/** Returns a deploy in progress. */
export function aDeploy(id: string, more: Partial<Deploy> = {}): Deploy {
  return {
    id,
    projectId: "one",
    state: "uploading",
    source: "archive",
    author: "Ada",
    files: 0,
    bytes: 0,
    pinned: false,
    createdAt: START,
    touchedAt: START,
    ...more,
  };
}

/** Returns a manifest with a file per name, whose blob has the same name. */
export function aManifest(...names: readonly string[]): Manifest {
  return {
    files: names.map((name) => ({
      path: `/${name}.txt`,
      sha256: name,
      size: 10,
      type: "text/plain; charset=utf-8",
      immutable: false,
      encodings: [{ encoding: "br", sha256: `${name}-br`, size: 5 }],
    })),
    site: { title: "Fixture" },
  };
}

export const created = (deploy: Deploy): ProjectChange => ({
  kind: "deploy.create",
  deploy,
  atMost: 100,
  aliveAfter: START - 1,
});

export async function openProjectFixture(
  open: () => Promise<ProjectStores>,
): Promise<ProjectFixture> {
  const { store, projectStore } = await open();
  await addShelter(store, "acc_one");
  const commit: ProjectFixture["commit"] = async (...changes) => {
    const committed = await projectStore.commit(changes, system);
    if (committed.ok) return committed.value;
    const { index, refusal } = committed.failure;
    throw new BrokenContract(`Change ${index} was refused: ${refusal}.`);
  };
  const activate: ProjectFixture["activate"] = async (deployId, back = false, at = START) => {
    const change = { kind: "deploy.activate", projectId: "one", deployId, back, at } as const;
    return deployOf((await commit(change))[0]);
  };
  return {
    store,
    projectStore,
    accountId: "acc_one",
    commit,
    refusal: async (...changes) => {
      const committed = await projectStore.commit(changes, system);
      if (committed.ok) throw new BrokenContract("The commit should have been refused.");
      return committed.failure;
    },
    addProject: async (id, more) => {
      const project = aProject(id, more);
      return projectOf((await commit({ kind: "project.create", project, atMost: 100 }))[0]);
    },
    rename: async (from, slug, at = START) => {
      const to = { ...from, slug };
      const change = { from, to, oldSlugUntil: at + REDIRECTS_MS, at };
      return projectOf((await commit({ kind: "project.update", ...change }))[0]);
    },
    addDeploy: async (id, more) => {
      const manifest = aManifest(`${id}-a`, `${id}-b`);
      const [, , ready] = await commit(
        created(aDeploy(id, more)),
        { kind: "deploy.keep", deployId: id, blobs: blobNames(manifest) },
        { kind: "deploy.ready", deployId: id, manifest, at: START },
      );
      return deployOf(ready);
    },
    activate,
    releaseAll: async () => {
      for (;;) {
        const deployId = await projectStore.blobs.unreleased();
        if (deployId === undefined) return;
        await commit({ kind: "deploy.release", deployId, limit: 3 });
      }
    },
  };
}
