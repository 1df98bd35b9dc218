import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

/** A part of a page, under its own heading. */
export function Card({
  title,
  actions,
  children,
  bare = false,
  look,
}: {
  readonly title?: ComponentChildren;
  /** What can be done with it, beside the heading. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  /** What is in it reaches its edges, as tables do. */
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
