import { document } from "./document.ts";
import { markup } from "./markup.ts";
import { paw } from "./placeholder.ts";
import type { Presentation } from "./presentation.ts";

/** For an address that leads nowhere; the same for an animal that may not be seen as for one that never was. */
export function notFoundPage(presentation: Presentation): string {
  const { words } = presentation.language;
  return document(presentation, {
    title: words.notFoundTitle,
    main: markup`
      <div class="empty t0">${paw()}<h1>${words.notFoundTitle}</h1><p>${words.notFound}</p>
      <a class="button solid" href="/">${words.showAll}</a></div>
    `,
  });
}
