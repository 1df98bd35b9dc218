import type { ComponentChildren, JSX } from "preact";
import type { Problem } from "../api.ts";
import { problemText, words } from "../words/words.ts";
import { AWAY, Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import type { PasskeyFault } from "../passkeys.ts";
import type { Resource } from "../state/resource.ts";
import { accountsProblem, reloadAccounts } from "../state/account.ts";

export type Tone = "good" | "warn" | "bad" | "plain";

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: "check",
  warn: "warn",
  bad: "warn",
  plain: "info",
};

/** A message whose colour, icon and text agree. */
export function Notice({
  tone = "plain",
  children,
  live,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
  /** It appeared after the page was loaded: `alert` interrupts a screen reader, `status` waits. */
  readonly live?: "alert" | "status";
}): JSX.Element {
  return (
    <div class={`notice ${tone}`} {...(live === undefined ? {} : { role: live })}>
      <Icon name={ICONS[tone]} />
      <div class="stack tight">{children}</div>
    </div>
  );
}

/** Why a request failed: in the user's language, with a link to the manual. */
export function Refusal({
  problem,
  onRetry,
}: {
  readonly problem: Problem | PasskeyFault | undefined;
  readonly onRetry?: (() => void) | undefined;
}): JSX.Element | null {
  if (problem === undefined) return null;
  const { common, signIn } = words();
  if (typeof problem === "string") {
    return (
      <Notice tone="warn" live="alert">
        <p>{signIn.passkeyFaults[problem]}</p>
      </Notice>
    );
  }
  const text = problemText(problem);
  return (
    <Notice tone="bad" live="alert">
      <p>{text}</p>
      {text !== problem.message && (
        <p class="soft small" lang="en">
          {problem.message}
        </p>
      )}
      <p class="row">
        {onRetry !== undefined && (
          <Button small onClick={onRetry}>
            {common.retry}
          </Button>
        )}
        <a href={`/help/errors#${problem.code}`} {...AWAY}>
          {common.readOn}
        </a>
      </p>
    </Notice>
  );
}

/** Placeholder of an empty list, with the next step. */
export function Empty({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  );
}

const WIDTHS = ["90%", "70%", "80%", "55%", "75%"] as const;

/** Placeholder of content that is loading, so that nothing moves when it arrives. */
export function Bones({ lines = 3 }: { readonly lines?: number | undefined }): JSX.Element {
  return (
    <div class="bones" role="status" aria-label={words().common.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="bone" style={{ width: WIDTHS[index % WIDTHS.length] }} />
      ))}
    </div>
  );
}

/** Renders a resource once it is loaded; until then a placeholder, or why loading failed. */
export function Loaded<Value>({
  resource: { value, problem, reload },
  lines,
  children,
}: {
  readonly resource: Resource<Value>;
  /** Height of the placeholder. */
  readonly lines?: number | undefined;
  readonly children: (value: Value) => JSX.Element;
}): JSX.Element {
  return (
    <>
      <Refusal problem={problem} onRetry={() => void reload()} />
      {value !== undefined && children(value)}
      {value === undefined && problem === undefined && <Bones lines={lines} />}
    </>
  );
}

/** Placeholder until the accounts are loaded, or why loading failed. */
export function AccountsLoading({ lines = 3 }: { readonly lines?: number }): JSX.Element {
  const problem = accountsProblem.value;
  if (problem === undefined) return <Bones lines={lines} />;
  return <Refusal problem={problem} onRetry={() => void reloadAccounts()} />;
}
