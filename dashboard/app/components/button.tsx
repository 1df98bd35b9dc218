import type { ComponentChildren, JSX } from "preact";

interface Look {
  /** A view has at most one `primary` button: in its head, or at the end of a dialog or a wizard. */
  readonly look?: "primary" | "danger" | "quiet" | undefined;
  readonly small?: boolean;
  readonly children: ComponentChildren;
}

export interface ButtonProps extends Look {
  readonly onClick?: () => void;
  /** Default `button`. */
  readonly type?: "button" | "submit";
  /** Its action is under way: it shows that and ignores clicks. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Names it for screen readers if its text is ambiguous. */
  readonly label?: string;
}

/** A button that keeps the focus while it is busy. */
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

/** A link that looks like a button. */
export function ButtonLink({
  look,
  small,
  children,
  href,
  away = false,
}: Look & {
  readonly href: string;
  /** Opens a new tab: for other sites and for the manuals. */
  readonly away?: boolean;
}): JSX.Element {
  return (
    <a class={classes(look, small)} href={href} {...(away ? AWAY : {})}>
      {children}
    </a>
  );
}

/** Attributes of a link that opens a new tab. */
export const AWAY = { target: "_blank", rel: "noopener" } as const;

function classes(look: Look["look"], small = false): string {
  return ["button", look, small ? "small" : undefined].filter(Boolean).join(" ");
}
