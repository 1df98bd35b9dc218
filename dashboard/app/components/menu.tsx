import type { ComponentChildren, JSX } from "preact";
import { useCallback, useId, useRef } from "preact/hooks";

import { Icon } from "./icon.tsx";

export interface MenuItem {
  readonly label: string;
  readonly onClick: () => void;
  readonly danger?: boolean;
}

/** A menu of actions behind three dots. Arrow keys move through it, Escape closes it. */
export function Menu({
  label,
  items,
  children,
}: {
  /** Names its subject, such as "More for Rex". */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** The content of its button. Default: three dots. */
  readonly children?: ComponentChildren;
}): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const place = useCallback(() => {
    const from = button.current?.getBoundingClientRect();
    const shown = list.current;
    if (from === undefined || shown === null) return;
    const { width, height } = shown.getBoundingClientRect();
    const below = from.bottom + 4;
    const top = below + height > innerHeight ? Math.max(4, from.top - height - 4) : below;
    shown.style.top = `${top}px`;
    shown.style.left = `${Math.max(4, Math.min(from.right - width, innerWidth - width - 4))}px`;
  }, []);
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = Array.from(list.current?.querySelectorAll("button") ?? []);
    const now = all.findIndex((one) => one === document.activeElement);
    all.at((now + step) % all.length)?.focus();
  };

  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class={children === undefined ? "icon-button" : "button quiet"}
        aria-label={children === undefined ? label : undefined}
        aria-haspopup="menu"
        popovertarget={id}
      >
        {children ?? <Icon name="more" />}
      </button>
      <div
        ref={list}
        id={id}
        class="menu-list"
        popover="auto"
        role="menu"
        aria-label={label}
        onKeyDown={walk}
        onToggle={(event) => {
          // It stays in place relative to its button while the page scrolls.
          window.removeEventListener("scroll", place, true);
          if (event.newState !== "open") return;
          window.addEventListener("scroll", place, true);
          place();
          list.current?.querySelector("button")?.focus();
        }}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            class={item.danger === true ? "danger" : ""}
            onClick={() => {
              list.current?.hidePopover();
              item.onClick();
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </div>
  );
}
