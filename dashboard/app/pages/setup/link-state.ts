import { get, send, type Problem } from "../../api.ts";
import { useResource, type Resource } from "../../state/resource.ts";

/** Whether the setup link is good, and whether its owner may type a password here. */
export type LinkState =
  | { readonly kind: "good"; readonly expiresAt: number }
  /** The address has no link in it. */
  | { readonly kind: "missing" }
  /** Used, over, mistyped, or void since a newer one was made. */
  | { readonly kind: "bad" }
  /** What is typed would be read on its way. */
  | { readonly kind: "unsafe" };

/** Asks the service before anything is typed. */
export function useLinkState(token: string): Resource<LinkState> {
  return useResource<LinkState>(token, async () => {
    const door = await get<{ readonly allowed: boolean }>("/sign-in");
    if (!door.ok) return door;
    if (!door.value.allowed) return done({ kind: "unsafe" });
    if (token === "") return done({ kind: "missing" });
    const link = await send<{ readonly expiresAt: number }>("POST", "/setup/check", { token });
    if (link.ok) return done({ kind: "good", expiresAt: link.value.expiresAt });
    return isBad(link.failure) ? done({ kind: "bad" }) : link;
  });
}

/** The link itself is what is wrong. */
export function isBad({ code }: Problem): boolean {
  return code === "invalid_setup_token" || code === "invalid_value";
}

function done(value: LinkState): { readonly ok: true; readonly value: LinkState } {
  return { ok: true, value };
}
