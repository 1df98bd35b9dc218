import type { ComponentChildren, JSX } from "preact";
import type { ProjectView } from "../../../lib/publishing/shapes/projects.ts";
import { accounts } from "../state/account.ts";
import { words } from "../words/words.ts";
import type { Tone } from "./feedback.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Instant } from "./time.tsx";
import { useId } from "preact/hooks";

interface BadgeLook {
  readonly tone?: Tone | "accent";
  readonly icon?: IconName;
}

/** How a badge looks in each state. */
export type BadgeLooks<State extends string> = Readonly<Record<State, BadgeLook>>;

/** A status in a word or two. */
export function Badge({
  tone = "plain",
  icon,
  children,
}: BadgeLook & { readonly children: ComponentChildren }): JSX.Element {
  return (
    <span class={`badge ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** What visitors find at a project's address. */
export function ProjectState({
  project: { accountId, deletedAt, liveDeployId },
}: {
  readonly project: Pick<ProjectView, "accountId" | "deletedAt" | "liveDeployId">;
}): JSX.Element {
  const { projects, shell } = words();
  const account = accounts.value.find(({ id }) => id === accountId);
  if (deletedAt !== undefined) return <Badge tone="bad">{projects.deleted}</Badge>;
  if (account?.suspendedAt !== undefined) return <Badge tone="bad">{shell.suspended}</Badge>;
  if (liveDeployId === undefined) return <Badge>{projects.empty}</Badge>;
  return (
    <Badge tone="good" icon="check">
      {projects.live}
    </Badge>
  );
}

/** The last time that something was used, or that it never was. */
export function LastTime({ at }: { readonly at: number | null | undefined }): JSX.Element {
  return typeof at === "number" ? <Instant at={at} /> : <>{words().common.never}</>;
}

/** The used share of a limit. Warns from 80 percent. */
export function Meter({
  value,
  max,
  label,
}: {
  readonly value: number;
  readonly max: number;
  readonly label: string;
}): JSX.Element {
  const share = max <= 0 ? 1 : Math.min(1, value / max);
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "warn" : "";
  return (
    <div
      class={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}

/** The progress of a long operation. */
export function Progress({
  label,
  children,
  done,
  total,
}: {
  /** The current step; announced to screen readers when it changes. */
  readonly label: string;
  /** The progress in words. */
  readonly children?: ComponentChildren;
  /** Absent if the total is unknown. */
  readonly done?: number;
  readonly total?: number;
}): JSX.Element {
  const id = useId();
  const known = done !== undefined && total !== undefined && total > 0;
  return (
    <div class="stack tight">
      <div class="row apart">
        <span id={id} role="status">
          {label}
        </span>
        <span class="soft small">{children}</span>
      </div>
      <progress aria-labelledby={id} {...(known ? { value: done / total, max: 1 } : {})} />
    </div>
  );
}
