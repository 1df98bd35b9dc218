import type { ComponentChildren, JSX } from "preact";

interface Look {
  /** Default: the ordinary one. At most one of a view is `primary`, and stands in its head; in a dialog or a wizard, at the end. */
  readonly look?: "primary" | "danger" | "quiet" | undefined;
  readonly small?: boolean;
  readonly children: ComponentChildren;
}

export interface ButtonProps extends Look {
  readonly onClick?: () => void;
  /** Default `button`: a form is sent by the one that says `submit`. */
  readonly type?: "button" | "submit";
  /** What it began is under way: it shows that, and cannot be pressed again. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Where the words on it say too little by themselves. */
  readonly label?: string;
}

/** Does something. It keeps the focus while it is busy. */
export function Button({
  look,
  small,
  children,
  onClick,
  type = "button",
  busy = false,
  disabled = false,
  label,
}: ButtonProps): JSX.Element {
  return (
    <button
      type={type}
      class={classes(look, small)}
      disabled={disabled}
      aria-disabled={busy}
      aria-label={label}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.();
      }}
    >
      {busy && <span class="spin" aria-hidden="true" />}
      {children}
    </button>
  );
}

/** Leads somewhere, and looks like a button. */
export function ButtonLink({
  look,
  small,
  children,
  href,
  away = false,
}: Look & {
  readonly href: string;
  /** Opens a tab of its own: another site, or a page that is read beside this one. */
  readonly away?: boolean;
}): JSX.Element {
  return (
    <a class={classes(look, small)} href={href} {...(away ? AWAY : {})}>
      {children}
    </a>
  );
}

/** Of links that open a tab of their own. */
export const AWAY = { target: "_blank", rel: "noopener" } as const;

function classes(look: Look["look"], small = false): string {
  return ["button", look, small ? "small" : undefined].filter(Boolean).join(" ");
}
