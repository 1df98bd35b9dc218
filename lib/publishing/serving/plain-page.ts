import { blobResponse } from "../../base/blob-response.ts";
import { utf8 } from "../../base/digest.ts";
import type { SiteLanguage } from "../model/project.ts";

/** The contents of a plain page. The texts must be safe, because they are not escaped. */
export interface PlainPage {
  readonly status: number;
  /** Default: English. */
  readonly language?: SiteLanguage;
  readonly title: string;
  readonly text?: string;
  /** A form that has only a button, for a POST to this site. */
  readonly form?: { readonly action: string; readonly text: string };
  /** A suggested next page. */
  readonly link?: { readonly href: string; readonly text: string };
}

const STYLE =
  ":root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}" +
  "body{box-sizing:border-box;min-height:100vh;margin:0;padding:2rem 1.25rem;display:grid;place-content:center;text-align:center}" +
  "main{max-width:32rem}h1{margin:0;font-size:1.75rem;line-height:1.25}p{margin:.75rem 0 0}a{color:inherit}" +
  "button{margin:1.5rem 0 .5rem;padding:.6rem 1.2rem;border:0;border-radius:.4rem;background:#1d4ed8;color:#fff;font:inherit;font-weight:600;cursor:pointer}";

/** The hash of `STYLE`; a test verifies it. */
const STYLE_HASH = "sha256-i8hDY3qcZWGFbGG+xwFnoTWkT82e1MvEQIWO+7NjWxc=";

/** Allows the pages' own style and, on pages with one, their form. */
const policy = (form: "'none'" | "'self'"): string =>
  `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action ${form}; frame-ancestors 'none'`;

/** Creates a page without any content of a site. */
export function plainPage(
  page: PlainPage,
  method: string,
  extra?: Readonly<Record<string, string>>,
): Response {
  const html = written(page);
  const head = method === "HEAD";
  return blobResponse(head ? null : html, {
    status: page.status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy(page.form === undefined ? "'none'" : "'self'"),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...extra,
      ...(head ? { "content-length": String(utf8(html).length) } : undefined),
    },
  });
}

/** The same response for every unknown host, path and method, so that it reveals nothing. */
export function unknownPage(method: string): Response {
  return plainPage(
    {
      status: 404,
      title: "Page not found",
      text: "There is nothing at this address. Check its spelling.",
    },
    method,
  );
}

function written({ language = "en", title, text, form, link }: PlainPage): string {
  const words = text === undefined ? "" : `<p>${text}</p>`;
  const button =
    form === undefined
      ? ""
      : `<form method="post" action="${form.action}"><button>${form.text}</button></form>`;
  const next = link === undefined ? "" : `<p><a href="${link.href}">${link.text}</a></p>`;
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${words}${button}${next}</main></body></html>\n`
  );
}
