import type { ProblemCode } from "../../../../lib/base/problem.ts";
import {
  refusingLimit,
  type ExplainedRequest,
} from "../../../../lib/requests/explanation-words.ts";
import type { RequestsWords } from "../en/requests.ts";
import { exactTime } from "../exact-time.ts";
import { number, plural } from "../format.ts";

const environmentOf = ({ environment }: ExplainedRequest): string =>
  environment === "production" ? "Produktion" : "Staging";

/** What is wrong with a request, by its code. */
const FAULTS: Readonly<Partial<Record<ProblemCode, string>>> = {
  invalid_json: "ihr Inhalt ist kein gültiges JSON",
  invalid_body: "ihr Inhalt hat die falsche Form",
  missing_field: "ein Pflichtfeld fehlt",
  invalid_value: "ein Feld hat einen unzulässigen Wert",
  unknown_field: "sie enthält ein unbekanntes Feld",
  unknown_category: "die Kategorie gibt es nicht",
  invalid_parameter: "ein Parameter hat einen unzulässigen Wert",
  unknown_parameter: "sie hat einen unbekannten Parameter",
  invalid_cursor: "der Cursor gehört nicht zu dieser Liste",
  not_acceptable: "sie nimmt kein JSON an",
  payload_too_large: "ihr Inhalt ist zu groß",
  uri_too_long: "ihre Adresse ist zu lang",
  unsupported_media_type: "ihr Inhalt ist nicht als JSON gekennzeichnet",
  idempotency_key_reused: "der Idempotency-Key gehört zu einer anderen Anfrage",
  invalid_transition: "diese Änderung des Status ist nicht möglich",
  category_in_use: "die Kategorie wird noch verwendet",
  category_exists: "eine Kategorie mit diesem Namen gibt es schon",
};

const faultOf = ({ code }: ExplainedRequest): string =>
  code === null
    ? "sie wurde nicht angenommen"
    : `${FAULTS[code] ?? "sie wurde abgewiesen"} (${code})`;

const used = (request: ExplainedRequest, period: string): string => {
  const limit = number(refusingLimit(request));
  if (request.counter === "key") {
    return `Der Schlüssel hatte seine ${limit} Anfragen pro ${period} aufgebraucht.`;
  }
  return request.counter === "user"
    ? `Der Benutzer hatte das Limit von ${limit} Anfragen pro ${period} aufgebraucht.`
    : `Das Limit von ${limit} Anfragen pro ${period} war aufgebraucht. Alle Schlüssel von ${environmentOf(request)} teilen es sich.`;
};

const SLOWER =
  "Warten Sie vor der nächsten Anfrage so lange, wie der Header Retry-After angibt. Wenn das häufig vorkommt: Senden Sie weniger Anfragen, verwenden Sie Antworten mit ihrem ETag wieder, oder wählen Sie einen größeren Tarif.";
const NOTHING = "Sie müssen nichts tun.";

export const requests: RequestsWords = {
  title: "API-Anfragen",
  about: "API-Anfragen der letzten Tage, und warum jede ihre Antwort bekam.",
  toUsage: "Nutzung anzeigen",
  search: "Anfrage-ID",
  searchHint: "Jede Antwort enthält sie im Header X-Request-Id.",
  find: "Anfrage suchen",
  status: "Antwortstatus",
  anyStatus: "Alle Status",
  statuses: {
    "2xx": "Erfolgreich (2xx)",
    "3xx": "Unverändert (3xx)",
    "4xx": "Abgewiesen (4xx)",
    "429": "Begrenzt (429)",
    "5xx": "Fehlgeschlagen (5xx)",
  },
  key: "API-Schlüssel",
  anyKey: "Alle Schlüssel",
  deletedKey: "Gelöschter Schlüssel",
  noKey: "Kein gültiger Schlüssel",
  user: "Benutzer",
  operation: "Operation",
  anyOperation: "Alle Operationen",
  unknownOperation: "Unbekannte Operation",
  clear: "Filter zurücksetzen",
  when: "Zeit",
  request: "Anfrage",
  answer: "Antwort",
  lasted: "Dauer",
  sample: "Steht für",
  times: (count) => `${number(count)} Anfragen`,
  milliseconds: (count) => `${number(count)} ms`,
  shown: (count, more) =>
    more
      ? `Die neuesten ${number(count)} Anfragen`
      : plural(count, { one: "1 Anfrage", other: `${number(count)} Anfragen` }),
  empty: "Noch keine Anfragen",
  emptyText: "Anfragen erscheinen hier nach wenigen Sekunden.",
  noneFound: "Keine passenden Anfragen",
  noneFoundText: "Anfragen werden nach einigen Tagen gelöscht.",
  sampled: (logged, answered) =>
    `Das Protokoll enthält ${number(logged)} der ${number(answered)} Anfragen der letzten sieben Tage: Ab einer gewissen Rate behält es eine Zufallsstichprobe. Abgewiesene und fehlgeschlagene Anfragen haben einen eigenen Anteil. Jede Zeile nennt die Anzahl der Anfragen, für die sie steht.`,
  details: "Anfrage",
  id: "Anfrage-ID",
  environment: "Umgebung",
  scope: "Fehlende Berechtigung",
  minute: "Pro Minute",
  day: "Pro Tag",
  ofAddress: "Ohne gültigen Schlüssel, pro Minute",
  inquiries: "Abfragen der Limits, pro Minute",
  left: (before, after, limit) =>
    `Vorher noch ${number(before)} von ${number(limit)}, danach noch ${number(after)}`,
  resets: (at) => `Volles Limit wieder ab: ${exactTime(at)}`,
  at: exactTime,
  why: "Warum",
  retry: "Erneut senden",
  todo: "Was Sie tun können",
  sameId: (count) =>
    `${number(count)} Anfragen haben diese ID, die neueste zuerst: Clients können eine ID mehrmals verwenden.`,
  unknown: "Diese Anfrage ist nicht im Protokoll",
  unknownAt: (at) => `Petstore hat diese ID am ${exactTime(at)} vergeben.`,
  possibleReasons: "Mögliche Gründe:",
  unknownReasons: [
    "Sie ist älter, als das Protokoll Anfragen aufbewahrt, oder noch keine drei Sekunden alt.",
    "Sie hatte keinen gültigen Schlüssel dieses Kontos, oder es war keine Anfrage an die API: Für Websites und das Dashboard gibt es keine Einträge.",
    "Das Konto hat so viele Anfragen gesendet, dass nur eine Stichprobe aufbewahrt wurde.",
    "Eine andere Installation von Petstore hat sie beantwortet, oder der Server wurde beendet, bevor er sie speichern konnte.",
  ],
  explanation: {
    why: {
      served: ({ status }) => `Petstore hat die Anfrage mit dem Status ${status} beantwortet.`,
      unchanged: () =>
        "Der Client hatte schon die aktuelle Fassung, deshalb hat Petstore den Status 304 ohne Inhalt gesendet. Eine solche Anfrage zählt wie jede andere.",
      minute_limit: (request) => used(request, "Minute"),
      day_limit: (request) => used(request, "Tag"),
      ban: ({ explanation: { retryAt } }) =>
        `Der Schlüssel war${retryAt === null ? "" : ` bis ${exactTime(retryAt)}`} gesperrt, weil er nach Antworten mit 429 weiter Anfragen gesendet hat.`,
      inquiry_limit: (request) =>
        `${request.userId === null ? "Der Schlüssel" : "Der Benutzer"} hatte die Limits innerhalb einer Minute schon ${number(refusingLimit(request))}-mal abgefragt (GET /rate-limit).`,
      address_limit: (request) =>
        `Von der Adresse des Clients waren innerhalb einer Minute schon ${number(refusingLimit(request))} Anfragen ohne gültigen Schlüssel gekommen.`,
      key_missing: () => "Die Anfrage hatte keinen API-Schlüssel.",
      key_invalid: () => "Der API-Schlüssel der Anfrage ist unbekannt oder falsch geschrieben.",
      key_expired: ({ key }) =>
        key?.expiresAt === null || key === null
          ? "Der Schlüssel war abgelaufen."
          : `Der Schlüssel ist am ${exactTime(key.expiresAt)} abgelaufen.`,
      key_revoked: ({ key }) =>
        key?.revokedAt === null || key === null
          ? "Der Schlüssel war widerrufen."
          : `Der Schlüssel wurde am ${exactTime(key.revokedAt)} widerrufen.`,
      other_environment: (request) =>
        `Die Anfrage ging an ${environmentOf(request)}, und ihr Schlüssel gehört zur anderen Umgebung.`,
      scope: ({ scope, operation, userId }) =>
        `${userId === null ? "Dem Schlüssel" : "Dem Benutzer"} fehlt die Berechtigung ${scope ?? ""}, die ${operation} braucht.`,
      networks: () =>
        "Der Schlüssel darf nur aus bestimmten Netzen verwendet werden, und die Anfrage kam von einer anderen Adresse.",
      suspension: () => "Das Konto war gesperrt.",
      https_required: () =>
        "Die Anfrage kam unverschlüsselt an eine Adresse, die HTTPS verlangt. Petstore hat sie abgewiesen, ohne den Schlüssel zu prüfen.",
      not_found: (request) =>
        `Der Pfad nennt etwas, das es in ${environmentOf(request)} zu diesem Zeitpunkt nicht gab. Es hat eine andere ID, wurde gelöscht oder gehört zur anderen Umgebung.`,
      no_route: ({ path }) => `Keine Operation hat den Pfad ${path}.`,
      method: ({ method, path }) => `Der Pfad ${path} nimmt die Methode ${method} nicht an.`,
      input: (request) => `Die Anfrage war ungültig: ${faultOf(request)}.`,
      conflict: (request) => `Die Anfrage passte nicht zum Stand der Daten: ${faultOf(request)}.`,
      in_progress: () => "Eine andere Anfrage mit demselben Idempotency-Key lief noch.",
      changed: () =>
        "Die Daten hatten sich geändert, seit der Client sie gelesen hat: Sein ETag war veraltet.",
      removed: () => "Die Operation gibt es in der API nicht mehr.",
      timeout: () => "Der Inhalt der Anfrage kam nicht rechtzeitig an.",
      failure: () =>
        "In Petstore ist ein Fehler aufgetreten. Die Anfrage zählt nicht für die Limits.",
      unavailable: () =>
        "Petstore war vorübergehend nicht verfügbar. Die Anfrage zählt nicht für die Limits.",
    },
    retry: {
      not_needed: () => "Das war nicht nötig.",
      at_once: () => "Dieselbe Anfrage kann jederzeit gelingen.",
      later: ({ explanation: { retryAt } }) =>
        retryAt === null
          ? "Später wäre dieselbe Anfrage gelungen."
          : `Ab ${exactTime(retryAt)} wäre dieselbe Anfrage gelungen, wenn nicht andere das Limit wieder aufgebraucht hätten.`,
      never: () => "Dieselbe Anfrage scheitert wieder, bis die Ursache behoben ist.",
    },
    todo: {
      served: () => NOTHING,
      unchanged: () => NOTHING,
      minute_limit: () => SLOWER,
      day_limit: () => SLOWER,
      ban: () =>
        "Sorgen Sie dafür, dass der Client nach einer Antwort mit 429 so lange wartet, wie der Header Retry-After angibt. Der Inhaber kann die Sperre unter API-Schlüssel aufheben.",
      inquiry_limit: () =>
        "Lesen Sie die Limits aus den Headern anderer Antworten: Jede enthält X-RateLimit-Remaining.",
      address_limit: () =>
        "Suchen Sie den Client, der Anfragen ohne gültigen Schlüssel sendet, und geben Sie ihm einen. Ein gültiger Schlüssel wird nie wegen seiner Adresse abgewiesen.",
      key_missing: () => "Senden Sie den Schlüssel im Header Authorization: Bearer pet_….",
      key_invalid: () =>
        "Vergleichen Sie den Schlüssel mit dem, der beim Erstellen angezeigt wurde. Ist er verloren, erneuern Sie ihn unter API-Schlüssel.",
      key_expired: () =>
        "Erstellen Sie einen neuen Schlüssel, oder erneuern Sie ihn beim nächsten Mal, bevor er abläuft.",
      key_revoked: () => "Verwenden Sie einen anderen Schlüssel des Kontos.",
      other_environment: () =>
        "Verwenden Sie für Produktion einen Schlüssel, der mit pet_live_ beginnt, und für Staging einen, der mit pet_test_ beginnt.",
      scope: ({ userId }) =>
        userId === null
          ? "Verwenden Sie einen Schlüssel mit dieser Berechtigung, oder erstellen Sie einen."
          : "Das Programm, in dem der Benutzer angemeldet ist, muss die Berechtigung geben.",
      networks: () =>
        "Senden Sie die Anfrage aus einem erlaubten Netz, oder tragen Sie die Adresse beim Schlüssel ein.",
      suspension: () => "Fragen Sie den Betreiber dieses Petstore, warum das Konto gesperrt ist.",
      https_required: () =>
        "Verwenden Sie eine Adresse mit https://. Enthielt die Anfrage einen Schlüssel, können andere ihn gelesen haben: Erneuern Sie ihn.",
      not_found: () =>
        "Rufen Sie die Liste ab, um die ID zu finden, und prüfen Sie die Umgebung des Schlüssels.",
      no_route: () =>
        "Vergleichen Sie den Pfad mit der API-Referenz. Pfade haben am Ende keinen Schrägstrich und keine doppelten Schrägstriche.",
      method: () => "Der Header Allow der Antwort nennt die Methoden, die der Pfad annimmt.",
      input: () =>
        "Die Meldung in der Antwort nennt die Stelle. Sie steht nicht in diesem Protokoll, weil sie personenbezogene Daten wiederholen kann.",
      conflict: () =>
        "Lesen Sie die Daten noch einmal, und entscheiden Sie, ob die Änderung noch gewünscht ist.",
      in_progress: () =>
        "Warten Sie eine Sekunde, und senden Sie die Anfrage mit demselben Idempotency-Key noch einmal.",
      changed: () =>
        "Lesen Sie die Daten noch einmal, wenden Sie die Änderung darauf an, und senden Sie den neuen ETag.",
      removed: () => "Verwenden Sie die Operation, die sie ersetzt: Die API-Referenz nennt sie.",
      timeout: () =>
        "Prüfen Sie die Verbindung des Clients, und senden Sie die Anfrage noch einmal.",
      failure: () =>
        "Senden Sie die Anfrage noch einmal. Scheitert sie wieder, stehen die Einzelheiten unter dieser Anfrage-ID im Log des Servers.",
      unavailable: () => "Senden Sie die Anfrage nach einer Sekunde noch einmal.",
    },
  },
};
