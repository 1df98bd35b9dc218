import type { DomainTrouble } from "./kinds.ts";

/** The English words of mails about events. Names and times arrive as they are shown. */
export const englishNotices = {
  domain: {
    subject: (domain: string): string => `${domain} needs attention`,
    gone: (domain: string): string => `${domain} no longer leads to your site`,
    troubles: {
      records: (domain: string) =>
        `The last check of ${domain} found a problem with its DNS. Visitors may see another page or an error, and its certificate cannot be renewed until this is corrected.`,
      stalled: (domain: string) =>
        `${domain} is verified, but has had no certificate for half an hour. Visitors cannot open the site at this address yet. Orders are retried automatically.`,
      moved: (domain: string) =>
        `The DNS of ${domain} has led elsewhere for a week. Its certificate is no longer renewed. If nothing changes, the domain is removed from your site after 30 days.`,
      released: (domain: string) =>
        `The DNS of ${domain} has led elsewhere for 30 days, so the domain was removed from your site. If you add it again within 30 days, it needs the same DNS records as before.`,
      contested: (domain: string) =>
        `Another account on this service claims ${domain} too. The page of the domain says which account holds the name, until when, and which record keeps it in yours.`,
      lost: (domain: string) =>
        `Another account on this service has proven that ${domain} belongs to it, and your DNS records were missing. The domain no longer shows your site. If it is yours, add it again and enter its records.`,
      plan: (domain: string) =>
        `${domain} is no longer served, because the plan of your account does not include custom domains. The name stays reserved. With the plan Pro or higher, it is served again at once.`,
      suspended: (domain: string) =>
        `${domain} is no longer served, because your account is suspended. The operator of this service can say why.`,
    } satisfies Words<DomainTrouble>,
    page: "The page of the domain says what is wrong, and what to enter where.",
    action: "Open the domain",
    rate: "You get at most one such mail about the domain every three days.",
  },
  backup: {
    subject: (host: string): string => `Backup of ${host} failed`,
    failed: (host: string): string => `The scheduled backup of ${host} failed:`,
    last: "Last good backup",
    none: "none yet",
    retried:
      "The service keeps running, and it tries the backup again automatically: after five minutes at first, then less often.",
    todo: "Run petstore doctor on the server: it says what to correct. petstore backup makes a backup at once.",
    action: "Open the dashboard",
    rate: "As long as backups fail, you get at most one such mail every three days.",
  },
  quota: {
    subject: (percent: 80 | 100): string =>
      percent === 80
        ? "80% of today's API requests are used"
        : "All of today's API requests are used",
    used: (percent: 80 | 100, limit: string, environment: string): string =>
      percent === 80
        ? `Your API keys have used 80% of the ${limit} requests that your account has each day (${environment}).`
        : `Your API keys have used all ${limit} requests that your account has each day (${environment}).`,
    resets: "The limit resets on",
    next: (percent: 80 | 100): string =>
      percent === 80
        ? "If the rest is used up before then, further requests are rejected (429)."
        : "Until then, further requests are rejected (429). Your sites and the dashboard keep working.",
    todo: "The page Usage shows how many requests each key sends. A higher plan allows more.",
    action: "Open Usage",
    rate: "You get at most one such mail every three days.",
  },
  webhook: {
    subject: (host: string): string => `Webhook to ${host} is disabled`,
    failing: (host: string): string =>
      `No event has arrived at your webhook to ${host} for days, so it is disabled: it gets no more events.`,
    gone: (host: string): string =>
      `${host} answered that your webhook's address no longer exists (410), so the webhook is disabled: it gets no more events.`,
    description: "Webhook",
    since: "Failing since",
    last: "Last answer",
    none: "none",
    todo: "Correct the receiver, then enable the webhook. You can send the events that it missed again.",
    todoOnServer: (id: string): string =>
      `Correct the receiver, then run on the server: petstore webhooks set ${id} --enable. petstore webhooks replay sends the events that it missed.`,
    action: "Open the dashboard",
  },
  device: {
    subject: (host: string): string => `New sign-in to ${host}`,
    happened: (host: string): string =>
      `Someone signed in to ${host} as you, with a browser that has not signed in as you before:`,
    at: "Time",
    browser: "Browser",
    unknown: "unknown",
    browserOn: (browser: string, system: string): string => `${browser} on ${system}`,
    network: "Network",
    ours: "If it was you, you do not need to do anything. A private window or deleted cookies make a browser look new.",
    theirs:
      "If it was not you, open your profile now: sign out that browser under Sessions, and change your password. If you cannot sign in any more, choose “Forgot your password?” on the sign-in page: a new password signs out everyone.",
    action: "Open your profile",
    rate: "You can turn off these mails in your profile.",
  },
};

type Words<Name extends string> = Readonly<Record<Name, (domain: string) => string>>;

/** The German words of mails about events. */
export const germanNotices: typeof englishNotices = {
  domain: {
    subject: (domain) => `${domain} braucht Ihre Aufmerksamkeit`,
    gone: (domain) => `${domain} führt nicht mehr zu Ihrer Website`,
    troubles: {
      records: (domain) =>
        `Die letzte Prüfung von ${domain} hat ein Problem im DNS gefunden. Besucher sehen vielleicht eine andere Seite oder einen Fehler, und das Zertifikat kann erst erneuert werden, wenn das behoben ist.`,
      stalled: (domain) =>
        `${domain} ist bestätigt, hat aber seit einer halben Stunde kein Zertifikat. Besucher können die Website unter dieser Adresse noch nicht öffnen. Es wird automatisch weiter versucht.`,
      moved: (domain) =>
        `Das DNS von ${domain} führt seit einer Woche woandershin. Das Zertifikat wird nicht mehr erneuert. Wenn sich nichts ändert, wird die Domain nach 30 Tagen von Ihrer Website entfernt.`,
      released: (domain) =>
        `Das DNS von ${domain} hat 30 Tage lang woandershin geführt, deshalb wurde die Domain von Ihrer Website entfernt. Wenn Sie sie innerhalb von 30 Tagen wieder hinzufügen, braucht sie dieselben DNS-Einträge wie vorher.`,
      contested: (domain) =>
        `Ein anderes Konto bei diesem Dienst beansprucht ${domain} ebenfalls. Auf der Seite der Domain steht, welches Konto den Namen bis wann hat und mit welchem Eintrag Sie ihn behalten.`,
      lost: (domain) =>
        `Ein anderes Konto bei diesem Dienst hat nachgewiesen, dass ${domain} ihm gehört, und Ihre DNS-Einträge fehlten. Die Domain zeigt nicht mehr Ihre Website. Wenn sie Ihnen gehört, fügen Sie sie wieder hinzu und tragen Sie ihre Einträge ein.`,
      plan: (domain) =>
        `${domain} wird nicht mehr ausgeliefert, weil der Tarif Ihres Kontos keine eigenen Domains enthält. Der Name bleibt reserviert. Ab dem Tarif Pro wird die Domain sofort wieder ausgeliefert.`,
      suspended: (domain) =>
        `${domain} wird nicht mehr ausgeliefert, weil Ihr Konto gesperrt ist. Den Grund kennt der Betreiber dieses Dienstes.`,
    },
    page: "Auf der Seite der Domain steht, woran es liegt und was Sie wo eintragen.",
    action: "Domain öffnen",
    rate: "Zu dieser Domain bekommen Sie höchstens alle drei Tage eine solche Mail.",
  },
  backup: {
    subject: (host) => `Backup von ${host} fehlgeschlagen`,
    failed: (host) => `Das geplante Backup von ${host} ist fehlgeschlagen:`,
    last: "Letztes gutes Backup",
    none: "noch keines",
    retried:
      "Der Dienst läuft weiter und versucht es automatisch noch einmal: zuerst nach fünf Minuten, dann seltener.",
    todo: "Führen Sie auf dem Server petstore doctor aus: Der Befehl zeigt, was zu beheben ist. petstore backup macht sofort ein Backup.",
    action: "Dashboard öffnen",
    rate: "Solange Backups fehlschlagen, bekommen Sie höchstens alle drei Tage eine solche Mail.",
  },
  quota: {
    subject: (percent) =>
      percent === 80
        ? "80 % der heutigen API-Anfragen sind verbraucht"
        : "Alle heutigen API-Anfragen sind verbraucht",
    used: (percent, limit, environment) =>
      percent === 80
        ? `Ihre API-Schlüssel haben 80 % der ${limit} Anfragen verbraucht, die Ihrem Konto pro Tag zustehen (${environment}).`
        : `Ihre API-Schlüssel haben alle ${limit} Anfragen verbraucht, die Ihrem Konto pro Tag zustehen (${environment}).`,
    resets: "Volles Limit wieder ab",
    next: (percent) =>
      percent === 80
        ? "Ist der Rest vorher verbraucht, werden weitere Anfragen abgewiesen (429)."
        : "Bis dahin werden weitere Anfragen abgewiesen (429). Ihre Websites und das Dashboard funktionieren weiter.",
    todo: "Auf der Seite Nutzung steht, wie viele Anfragen jeder Schlüssel sendet. Ein höherer Tarif erlaubt mehr.",
    action: "Nutzung öffnen",
    rate: "Sie bekommen höchstens alle drei Tage eine solche Mail.",
  },
  webhook: {
    subject: (host) => `Webhook an ${host} ist deaktiviert`,
    failing: (host) =>
      `Bei Ihrem Webhook an ${host} ist seit Tagen kein Ereignis angekommen. Deshalb ist er deaktiviert und bekommt keine Ereignisse mehr.`,
    gone: (host) =>
      `${host} hat geantwortet, dass es die Adresse Ihres Webhooks nicht mehr gibt (410). Deshalb ist er deaktiviert und bekommt keine Ereignisse mehr.`,
    description: "Webhook",
    since: "Fehler seit",
    last: "Letzte Antwort",
    none: "keine",
    todo: "Beheben Sie den Fehler beim Empfänger, und aktivieren Sie den Webhook dann wieder. Verpasste Ereignisse können Sie noch einmal senden.",
    todoOnServer: (id) =>
      `Beheben Sie den Fehler beim Empfänger, und führen Sie dann auf dem Server aus: petstore webhooks set ${id} --enable. petstore webhooks replay sendet verpasste Ereignisse.`,
    action: "Dashboard öffnen",
  },
  device: {
    subject: (host) => `Neue Anmeldung bei ${host}`,
    happened: (host) =>
      `jemand hat sich mit Ihrer E-Mail-Adresse bei ${host} angemeldet, in einem Browser, in dem Sie noch nie angemeldet waren:`,
    at: "Zeit",
    browser: "Browser",
    unknown: "unbekannt",
    browserOn: (browser, system) => `${browser} auf ${system}`,
    network: "Netz",
    ours: "Wenn Sie das waren, müssen Sie nichts tun. In einem privaten Fenster oder ohne die Cookies von früher gilt ein Browser als neu.",
    theirs:
      "Wenn Sie das nicht waren, öffnen Sie jetzt Ihr Profil: Melden Sie diesen Browser unter Sitzungen ab, und ändern Sie Ihr Passwort. Wenn Sie sich nicht mehr anmelden können, wählen Sie auf der Anmeldeseite „Passwort vergessen?“: Ein neues Passwort meldet alle ab.",
    action: "Profil öffnen",
    rate: "In Ihrem Profil können Sie diese Mails abschalten.",
  },
};
