import { useLocation } from "preact-iso";
import type { JSX } from "preact";

import { send } from "./api.ts";
import { AWAY } from "./components/button.tsx";
import { Icon } from "./components/icon.tsx";
import { Menu } from "./components/menu.tsx";
import { toast } from "./components/toasts.tsx";
import { Preferences } from "./preferences.tsx";
import { me, signedOut } from "./state/me.ts";
import { said } from "./words/said.ts";
import { words } from "./words/words.ts";

/** The end of the navigation: the manuals, language and theme, and who is signed in. */
export function Foot(): JSX.Element {
  const { shell } = words();
  const { route } = useLocation();
  const leave = async (): Promise<void> => {
    const left = await send("DELETE", "/sessions/current");
    // One that was over already has signed this page out by itself.
    if (!left.ok && me.peek() !== null) {
      toast(said(left.failure));
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
          { label: shell.profile, onClick: () => route("/profile") },
          { label: shell.signOut, onClick: () => void leave() },
        ]}
      >
        <Icon name="people" />
        <span class="small">{me.value?.member?.email ?? me.value?.name}</span>
      </Menu>
    </div>
  );
}
