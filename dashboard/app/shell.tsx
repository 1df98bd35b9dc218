import { signal, useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { above, Confirmation, withdrawQuestion } from "./components/dialog.tsx";
import { MINUTE_MS } from "../../lib/base/clock.ts";
import { Icon, type IconName, Mark } from "./components/icon.tsx";
import { Toasts, toast } from "./components/toasts.tsx";
import { accounts, accountsAnswered, currentAccount, enterAccount } from "./state/account.ts";
import { countEnquiries, newEnquiries } from "./state/inbox.ts";
import { mayLeave } from "./state/leaving.ts";
import { isOperator, me, signedOut } from "./state/me.ts";
import { usePolling } from "./state/resource.ts";
import { underWay } from "./routes.tsx";
import { words, problemText } from "./words/words.ts";
import { call } from "./api.ts";
import { AWAY } from "./components/button.tsx";
import { Menu } from "./components/menu.tsx";
import { Preferences } from "./preferences.tsx";

/** The frame around a view for signed-in users. */
export function Shell({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const open = useSignal(false);
  const toggle = useRef<HTMLButtonElement>(null);
  const { path } = useLocation();
  const { shell } = words();
  const closeByKey = ({ key }: KeyboardEvent): void => {
    // Open menus and dialogs close first, by themselves.
    if (key !== "Escape" || !open.peek() || document.querySelector(":popover-open, dialog[open]"))
      return;
    open.value = false;
    toggle.current?.focus();
  };
  useEffect(() => {
    // Without it, the page is as useful.
    import("./overdue.tsx").then(
      ({ Overdue }) => {
        warning.value = <Overdue />;
      },
      () => undefined,
    );
  }, []);
  useEffect(() => {
    open.value = false;
    return () => {
      withdrawQuestion();
      above.value = undefined;
    };
  }, [path]);

  return (
    <div class="shell" onKeyDown={closeByKey}>
      <a class="button primary skip" href="#content">
        {shell.skip}
      </a>
      <header class="top">
        <a class="brand" href="/">
          <Mark /> Petstore
        </a>
        <button
          ref={toggle}
          type="button"
          class="icon-button"
          aria-label={open.value ? shell.closeMenu : shell.menu}
          aria-expanded={open.value}
          aria-controls="side"
          onClick={() => {
            open.value = !open.value;
          }}
        >
          <Icon name={open.value ? "cross" : "menu"} />
        </button>
      </header>
      {open.value && (
        <button
          type="button"
          class="veil"
          aria-label={shell.closeMenu}
          onClick={() => {
            open.value = false;
          }}
        />
      )}
      <aside class={open.value ? "side open" : "side"} id="side" aria-label={shell.sidebar}>
        <a class="brand" href="/">
          <Mark /> Petstore
        </a>
        {/* Rendered at once, so that nothing moves. */}
        {accountsAnswered.value && (
          <>
            <Switcher />
            <Navigation path={path} />
          </>
        )}
        <Foot />
      </aside>
      <main id="content" tabIndex={-1} aria-busy={underWay.value > 0}>
        {warning.value}
        {children}
      </main>
      <Toasts />
      <Confirmation />
      {above}
    </div>
  );
}

/** Appears above every view, if there is something to warn of. Loaded after the page. */
const warning = signal<JSX.Element | null>(null);

/** With more accounts than this, users search the list instead of a menu. */
const MANY = 100;

/** Selects the account of the navigation, for users with several. */
function Switcher(): JSX.Element | null {
  const { route } = useLocation();
  const { shell } = words();
  const only = accounts.value.length === 1 ? accounts.value[0] : undefined;
  if (only !== undefined) return <p class="whose">{only.name}</p>;
  if (accounts.value.length === 0) return null;
  if (accounts.value.length > MANY) {
    return (
      <a class="whose" href="/accounts">
        {currentAccount.value?.name}
      </a>
    );
  }
  return (
    <label class="field">
      <span class="out-of-sight">{shell.chooseAccount}</span>
      <select
        class="input"
        value={currentAccount.value?.id ?? ""}
        onChange={async ({ currentTarget }) => {
          const { value: id } = currentTarget;
          if (!(await mayLeave())) {
            currentTarget.value = currentAccount.peek()?.id ?? "";
            return;
          }
          enterAccount(id);
          route(`/accounts/${id}/overview`);
        }}
      >
        {accounts.value.map(({ id, name, suspendedAt }) => (
          <option key={id} value={id}>
            {suspendedAt === undefined ? name : shell.nameOfSuspended(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

const IN_ACCOUNT = [
  "overview",
  "animals",
  "orders",
  "enquiries",
  "projects",
  "keys",
  "webhooks",
  "usage",
  "people",
  "activity",
] as const;

function Navigation({ path }: { readonly path: string }): JSX.Element {
  const { shell } = words();
  const account = currentAccount.value;
  useEffect(() => void countEnquiries(), [account?.id]);
  usePolling(MINUTE_MS, countEnquiries);
  const base = `/accounts/${account?.id ?? ""}`;
  const also: Partial<Record<(typeof IN_ACCOUNT)[number], readonly string[]>> = {
    animals: ["/categories", "/import", "/deleted"].map((view) => base + view),
    projects: ["/projects/"],
  };
  return (
    <nav aria-label={shell.navigation}>
      {account !== undefined && (
        <ul>
          {IN_ACCOUNT.map((name) => (
            <Entry
              key={name}
              path={path}
              href={`${base}/${name}`}
              icon={name}
              label={shell[name]}
              also={also[name]}
              fresh={name === "enquiries" ? newEnquiries.value : 0}
            />
          ))}
          <Entry path={path} href={base} exact icon="settings" label={shell.account} />
        </ul>
      )}
      {isOperator.value && (
        <>
          <h2>{shell.operator}</h2>
          <ul>
            <Entry path={path} href="/accounts" exact icon="accounts" label={shell.accounts} />
            <Entry path={path} href="/system" icon="system" label={shell.system} />
          </ul>
        </>
      )}
    </nav>
  );
}

function Entry({
  path,
  href,
  icon,
  label,
  exact = false,
  also = [],
  fresh = 0,
}: {
  readonly path: string;
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  /** Pages below it belong to other entries. */
  readonly exact?: boolean;
  /** Prefixes of other addresses that belong to it. */
  readonly also?: readonly string[] | undefined;
  /** How many of them are new. */
  readonly fresh?: number;
}): JSX.Element {
  const { fresh: isNew } = words().shell;
  const below = !exact && (path.startsWith(`${href}/`) || also.some((one) => path.startsWith(one)));
  const current = path === href || below;
  return (
    <li>
      <a href={href} {...(current ? { "aria-current": "page" as const } : {})}>
        <Icon name={icon} />
        {label}
        {fresh > 0 && <span class="badge warn">{isNew(fresh)}</span>}
      </a>
    </li>
  );
}

/** The end of the navigation: manuals, preferences and the user's menu. */
function Foot(): JSX.Element {
  const { shell } = words();
  const { route } = useLocation();
  const open = async (path: string): Promise<void> => {
    if (await mayLeave()) route(path);
  };
  const leave = async (): Promise<void> => {
    if (!(await mayLeave())) return;
    const left = await call("DELETE /sessions/current");
    // If the session had ended already, the page is signed out by now.
    if (!left.ok && me.peek() !== null) {
      toast(problemText(left.failure));
      return;
    }
    signedOut();
    route("/sign-in");
  };
  return (
    <div class="foot stack tight">
      <nav aria-label={shell.help}>
        <ul>
          <li>
            <a href="/docs" {...AWAY}>
              <Icon name="docs" />
              {shell.reference}
            </a>
          </li>
          <li>
            <a href="/help" {...AWAY}>
              <Icon name="help" />
              {shell.help}
            </a>
          </li>
        </ul>
      </nav>
      <Preferences />
      <Menu
        label={me.value?.member?.email ?? me.value?.name ?? ""}
        items={[
          { label: shell.profile, onClick: () => void open("/profile") },
          { label: shell.signOut, onClick: () => void leave() },
        ]}
      >
        <Icon name="people" />
        <span class="small">{me.value?.member?.email ?? me.value?.name}</span>
      </Menu>
    </div>
  );
}
