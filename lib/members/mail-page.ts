import { mailLanguageOf, type MailLanguage } from "../mail/words.ts";
import { system } from "../model/actor.ts";
import { plainPage, type PlainPage } from "../publishing/serving/plain-page.ts";
import { escaped } from "../publishing/storefront/markup.ts";
import type { MailLinks } from "./mail-links.ts";
import type { MemberStore } from "./member-store.ts";
import type { SwitchedMail } from "./model/mail-switches.ts";

/** The path before the token of a link. */
export const MAILS_PATH = "/mails/";
/** The query of the form that turns mails on again. */
const ON = "on";

/**
 * Answers requests for the link in a mail. Opening it changes nothing: programs open links to check them. The button, or a
 * mail program that offers to unsubscribe (RFC 8058), sends a POST, which turns the mails off.
 */
export function mailPage({
  memberStore,
  links,
  profileAddress,
}: {
  readonly memberStore: Pick<MemberStore, "byId" | "commit">;
  readonly links: Pick<MailLinks, "read">;
  readonly profileAddress: string;
}): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, headers } = request;
    const { pathname, searchParams } = new URL(request.url);
    const token = pathname.slice(MAILS_PATH.length);
    const found = await links.read(token);
    const member = found && (await memberStore.byId(found.memberId));
    const tag = member?.language ?? headers.get("accept-language") ?? "";
    const language = mailLanguageOf(tag.split(/[,;]/, 1).join(""));
    const words = pageWords[language];
    if (found === undefined || member === undefined) {
      const [title, text] = words.unknown;
      return plainPage({ status: 404, language, title, text }, method);
    }
    if (!METHODS.has(method)) {
      return plainPage({ status: 405, language, title: words.method }, method, {
        allow: [...METHODS].join(", "),
      });
    }
    const on = searchParams.has(ON);
    const { kind } = found;
    if (method === "POST") {
      const change = { kind: "member.mails", memberId: member.id, mail: kind, on } as const;
      await memberStore.commit([change], system);
    }
    const isOn = method === "POST" ? on : member.mailsOff?.includes(kind) !== true;
    const page: PlainPage = {
      status: 200,
      language,
      ...(isOn ? words.on : words.off)(words.kinds[kind], escaped(member.email)),
      form: {
        action: `${MAILS_PATH}${token}${isOn ? "" : `?${ON}`}`,
        text: isOn ? words.turnOff : words.turnOn,
      },
      link: { href: profileAddress, text: words.profile },
    };
    return plainPage(page, method);
  };
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);

interface Words {
  readonly unknown: readonly [title: string, text: string];
  readonly method: string;
  /** `what` completes "mails about …". The address is escaped. */
  readonly on: (what: string, email: string) => { readonly title: string; readonly text: string };
  readonly off: (what: string, email: string) => { readonly title: string; readonly text: string };
  readonly turnOff: string;
  readonly turnOn: string;
  readonly profile: string;
  readonly kinds: Readonly<Record<SwitchedMail, string>>;
}

const pageWords: Readonly<Record<MailLanguage, Words>> = {
  en: {
    unknown: [
      "This link does not work",
      "Open the whole link from the mail, or sign in and choose your mails in your profile.",
    ],
    method: "This page is read-only",
    on: (what, email) => ({
      title: `Mails about ${what}`,
      text: `${email} gets these mails. Do you want to turn them off?`,
    }),
    off: (what, email) => ({
      title: `Mails about ${what} are off`,
      text: `${email} gets no more mails about ${what}. Other mails are still sent.`,
    }),
    turnOff: "Turn off these mails",
    turnOn: "Turn on again",
    profile: "Choose all your mails in your profile",
    kinds: {
      domain_attention: "domains that need attention",
      certificates_overdue: "overdue certificates",
      backup_failed: "failed backups",
      quota_reached: "used-up API requests",
      webhook_disabled: "disabled webhooks",
      new_device: "sign-ins from new browsers",
    },
  },
  de: {
    unknown: [
      "Dieser Link funktioniert nicht",
      "Öffnen Sie den ganzen Link aus der Mail, oder melden Sie sich an und wählen Sie Ihre Mails in Ihrem Profil.",
    ],
    method: "Diese Seite lässt sich nur lesen",
    on: (what, email) => ({
      title: `Mails über ${what}`,
      text: `${email} bekommt diese Mails. Möchten Sie sie abschalten?`,
    }),
    off: (what, email) => ({
      title: `Mails über ${what} sind abgeschaltet`,
      text: `${email} bekommt keine Mails über ${what} mehr. Andere Mails werden weiter verschickt.`,
    }),
    turnOff: "Diese Mails abschalten",
    turnOn: "Wieder einschalten",
    profile: "Alle Mails in Ihrem Profil wählen",
    kinds: {
      domain_attention: "Domains, die Aufmerksamkeit brauchen",
      certificates_overdue: "überfällige Zertifikate",
      backup_failed: "fehlgeschlagene Backups",
      quota_reached: "verbrauchte API-Anfragen",
      webhook_disabled: "deaktivierte Webhooks",
      new_device: "Anmeldungen in neuen Browsern",
    },
  },
};
