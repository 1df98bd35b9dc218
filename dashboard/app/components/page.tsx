import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { isolated } from "../words/isolated.ts";

export interface PageProps {
  /** The heading and the title of the tab. */
  readonly title: string;
  /** The purpose of the page, in one sentence. */
  readonly about?: ComponentChildren;
  /** The pages above it, from the top down. */
  readonly crumbs?: readonly { readonly label: string; readonly href: string }[];
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A view with its heading. */
export function Page({ title, about, crumbs = [], actions, children }: PageProps): JSX.Element {
  useEffect(() => {
    document.title = `${isolated(title)} · Petstore`;
  }, [title]);
  return (
    <div class="stack wide">
      <div class="page-head">
        <div>
          {crumbs.length > 0 && (
            <p class="crumbs">
              {crumbs.map(({ label, href }) => (
                <span key={href}>
                  <a href={href}>{label}</a> /
                </span>
              ))}
            </p>
          )}
          <h1>{title}</h1>
          {about !== undefined && <p>{about}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A section of a page under its own heading. */
export function Card({
  title,
  actions,
  children,
  bare = false,
  look,
}: {
  readonly title?: ComponentChildren;
  /** Shown beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Its content has no padding: for tables. */
  readonly bare?: boolean;
  readonly look?: "danger";
}): JSX.Element {
  const id = useId();
  const named = title === undefined ? {} : { "aria-labelledby": id };
  return (
    <section class={`card ${look ?? ""}`} {...named}>
      {title !== undefined && (
        <header>
          <h2 id={id}>{title}</h2>
          {actions !== undefined && <div class="row">{actions}</div>}
        </header>
      )}
      {bare ? children : <div class="inside stack">{children}</div>}
    </section>
  );
}
