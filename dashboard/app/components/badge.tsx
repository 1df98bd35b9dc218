import type { ComponentChildren, JSX } from "preact";

import type { Tone } from "./notice.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** A state in a word or two. */
export function Badge({
  tone = "plain",
  icon,
  children,
}: {
  readonly tone?: Tone | "accent";
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <span class={`badge ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}
