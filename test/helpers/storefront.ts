import { markdown } from "../../adapters/markdown.ts";
import type { Clock } from "../../lib/base/clock.ts";
import { createEnquiries, memoryEnquiryStore } from "../../lib/enquiries/index.ts";
import type { EnquiryDesk } from "../../lib/publishing/enquiry-desk.ts";
import { memoryBlobs } from "../../lib/publishing/memory-blobs.ts";
import type { ManifestFile } from "../../lib/publishing/model/deploy.ts";
import type { Project } from "../../lib/publishing/model/project.ts";
import type { SiteFile } from "../../lib/publishing/model/site-file.ts";
import type { Site } from "../../lib/publishing/site.ts";
import { createStorefront } from "../../lib/publishing/storefront/create.ts";
import type { Storefront } from "../../lib/publishing/storefront.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/storage/store.ts";
import { openShelter, START, type Shelter } from "../../testing/shelter.ts";

export const ORIGIN = "https://brightside.pets.test";

/** The contents of a shelter's site. */
export interface Published {
  readonly siteFile?: SiteFile;
  readonly project?: Partial<Project>;
  /** Files by path, in addition to the site file. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A shelter with a storefront. */
export interface Shop {
  readonly shelter: Shelter;
  readonly storefront: Storefront;
  readonly site: Site;
  /** Publishes another deploy with the same animals. */
  readonly publish: (published: Published) => Promise<Site>;
  /** GETs an address such as `/?category=2`; undefined if it is not the storefront's. */
  readonly visit: (
    address: string,
    more?: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly head?: boolean;
      readonly site?: Site;
    },
  ) => Promise<Response | undefined>;
  /** GETs an address of the storefront and returns the text. */
  readonly page: (address: string, site?: Site) => Promise<string>;
}

/** Creates the desk that takes enquiries about the animals of a store in memory. Absent `clock`: the store's. */
export function deskOver(store: Store, clock?: Clock): EnquiryDesk {
  return createEnquiries({
    store,
    clock,
    enquiryStore: memoryEnquiryStore({ store }),
    encryptionKey: new Uint8Array(32).fill(7),
    addressOf: () => ORIGIN,
  }).desk;
}

export async function openShop(
  published: Published = {},
  {
    store = memoryStore(),
    cacheBytes,
    enquiries,
  }: {
    readonly store?: Store;
    readonly cacheBytes?: number;
    readonly enquiries?: EnquiryDesk;
  } = {},
): Promise<Shop> {
  const shelter = await openShelter(async () => store);
  const blobs = memoryBlobs();
  const storefront = createStorefront({
    store,
    blobs,
    markdown,
    enquiries,
    ...(cacheBytes !== undefined && { cacheBytes }),
  });
  let deploys = 0;

  const publish = async ({ siteFile = {}, project, files = {} }: Published): Promise<Site> => {
    const kept: ManifestFile[] = [];
    for (const [path, content] of Object.entries(files)) {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      const { sha256, size } = await blobs.put(bytes);
      kept.push({ path, sha256, size, type: typeOf(path), immutable: false, encodings: [] });
    }
    const id = `d${String(++deploys).padStart(19, "0")}`;
    return {
      project: {
        id: "prj_000000000001",
        accountId: shelter.account.id,
        slug: "brightside",
        name: "Brightside Animal Shelter",
        filter: { categoryIds: [], statuses: ["available", "pending"] },
        theme: {},
        liveDeployId: id,
        version: 1,
        createdAt: START,
        updatedAt: START,
        ...project,
      },
      catalogueId: shelter.production,
      deploy: {
        id,
        projectId: "prj_000000000001",
        state: "live",
        source: "archive",
        author: "Kim",
        files: kept.length,
        bytes: 0,
        pinned: false,
        createdAt: START,
        touchedAt: START,
        activatedAt: START,
      },
      manifest: { files: kept, site: siteFile },
      files: new Map(kept.map((file) => [file.path, file])),
      supersededFiles: new Map(),
    };
  };

  const site = await publish(published);
  const visit: Shop["visit"] = async (address, { headers = {}, head = false, ...more } = {}) => {
    const { pathname, search } = new URL(address, ORIGIN);
    return storefront.answer({
      site: more.site ?? site,
      path: decodeURIComponent(pathname),
      search: search.slice(1),
      headers: new Headers(headers),
      head,
      origin: ORIGIN,
    });
  };
  return {
    shelter,
    storefront,
    site,
    publish,
    visit,
    page: async (address, at = site) => {
      const response = await visit(address, { site: at });
      if (response === undefined) throw new Error(`${address} is none of the storefront's`);
      return response.text();
    },
  };
}

const types: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  md: "text/markdown; charset=utf-8",
};

function typeOf(path: string): string {
  return types[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
