import { join } from "node:path";

import type { SiteFile } from "../../lib/publishing/model/site-file.ts";
import { enquiryRouteOf } from "../../lib/publishing/storefront/enquiries.ts";
import type { Published, Shop } from "./storefront.ts";

/** A storefront on its own port. */
export interface Listening extends AsyncDisposable {
  readonly origin: string;
}

/** Serves a site for browsers: the deploy's files, else the storefront, else its 404 page. */
export function listen(shop: Shop, files: Published["files"] = {}): Listening {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname, search, origin } = new URL(request.url);
      const path = decodeURIComponent(pathname);
      const storefrontRequest = {
        site: shop.site,
        path,
        search: search.slice(1),
        headers: request.headers,
        head: request.method === "HEAD",
        origin,
      };
      const file = files[path];
      if (file !== undefined) {
        return new Response(file as BodyInit, {
          headers: { "content-type": shop.site.files.get(path)?.type ?? "" },
        });
      }
      const route = enquiryRouteOf(path);
      const posted =
        request.method === "POST" ? { body: await request.bytes(), address: "" } : undefined;
      const answer =
        (route && shop.storefront.enquiry?.(storefrontRequest, route, posted)) ??
        shop.storefront.answer(storefrontRequest) ??
        shop.storefront.notFound(storefrontRequest);
      return (await answer) ?? new Response(null, { status: 404 });
    },
  });
  return {
    origin: server.url.origin,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const EXAMPLE = join(import.meta.dir, "../../examples/site");

/** Returns the files of examples/site. */
export async function exampleSite(): Promise<Required<Pick<Published, "siteFile" | "files">>> {
  const files: Record<string, Uint8Array> = {};
  for await (const path of new Bun.Glob("animals/**").scan(EXAMPLE)) {
    files[`/${path}`] = await Bun.file(join(EXAMPLE, path)).bytes();
  }
  const siteFile: SiteFile = await Bun.file(join(EXAMPLE, "petstore.site.json")).json();
  return { siteFile, files };
}
