import type { ProblemCode } from "../../../../lib/base/problem.ts";

/** One for each code, because the service's own messages are in English. */
export const problems: Readonly<Record<ProblemCode, string>> = {
  invalid_json: "Das ist kein gültiges JSON.",
  invalid_body: "Die Angaben haben nicht die erwartete Form.",
  missing_field: "Eine Pflichtangabe fehlt.",
  invalid_value: "Eine Angabe hat einen Wert, der nicht erlaubt ist.",
  unknown_field: "Eine der Angaben ist hier nicht bekannt.",
  unknown_category:
    "Diese Kategorie gibt es nicht mehr. Laden Sie die Seite neu und wählen Sie eine andere.",
  invalid_parameter: "Ein Parameter der Adresse hat einen Wert, der nicht erlaubt ist.",
  unknown_parameter: "Ein Parameter der Adresse ist nicht bekannt.",
  invalid_cursor: "Die Liste hat sich geändert. Laden Sie sie von vorn.",
  missing_api_key: "Es wurde kein API-Schlüssel gesendet.",
  invalid_api_key: "Der API-Schlüssel ist nicht gültig.",
  expired_api_key: "Der API-Schlüssel ist abgelaufen.",
  revoked_api_key: "Der API-Schlüssel wurde widerrufen.",
  wrong_environment: "Der API-Schlüssel gehört zur anderen Umgebung.",
  insufficient_scope: "Dem API-Schlüssel fehlt eine Berechtigung.",
  address_not_allowed: "Von dieser Adresse aus darf der API-Schlüssel nicht benutzt werden.",
  https_required:
    "Das geht nur über HTTPS, damit niemand unterwegs mitliest. Öffnen Sie die Seite mit https:// – oder auf demselben Rechner über localhost.",
  account_suspended:
    "Das Konto ist gesperrt. Ansehen geht, ändern nicht. Wenden Sie sich an den Betreiber.",
  not_found: "Das gibt es nicht: Es wurde gelöscht, oder die Adresse ist vertippt.",
  route_not_found: "Diese Adresse gibt es nicht.",
  method_not_allowed: "Das ist an dieser Adresse nicht vorgesehen.",
  not_acceptable: "Hier gibt es nur JSON.",
  request_timeout: "Es kam zu langsam an. Versuchen Sie es noch einmal.",
  invalid_transition: "Dieser Wechsel des Status ist nicht erlaubt.",
  category_in_use:
    "Die Kategorie wird noch von Tieren benutzt, auch von kürzlich gelöschten. Ordnen Sie diese zuerst anders ein.",
  category_exists: "Eine Kategorie dieses Namens gibt es schon.",
  idempotency_in_progress: "Dieselbe Anfrage läuft gerade schon.",
  operation_removed: "Diese Funktion gibt es nicht mehr.",
  precondition_failed:
    "Jemand hat das inzwischen geändert. Laden Sie neu und prüfen Sie, ob Ihre Änderung noch passt.",
  payload_too_large: "Das ist zu groß. Senden Sie weniger oder kleinere Dateien.",
  uri_too_long: "Die Adresse ist zu lang.",
  unsupported_media_type: "Diese Art von Datei oder Inhalt wird hier nicht angenommen.",
  idempotency_key_reused: "Diese Anfrage wurde mit anderen Angaben schon einmal gestellt.",
  rate_limited: "Das war zu oft. Warten Sie eine Weile und versuchen Sie es noch einmal.",
  quota_exceeded:
    "Das Tageslimit des Tarifs ist aufgebraucht. Wann es neu beginnt, steht unter „Nutzung“.",
  key_banned: "Der API-Schlüssel ist eine Zeit lang gesperrt.",
  internal_error:
    "Bei uns ist etwas schiefgegangen. Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.",
  unavailable:
    "Der Dienst ist gerade nicht zu erreichen oder überlastet. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
  invalid_archive:
    "Diese Website lässt sich nicht veröffentlichen. Beheben Sie den unten auf Englisch genannten Fehler, und laden Sie sie noch einmal hoch.",
  invalid_site_file:
    "petstore.site.json enthält einen Fehler. Beheben Sie ihn wie unten auf Englisch genannt, und laden Sie die Website noch einmal hoch.",
  weak_password:
    "Dieses Passwort ist zu leicht zu erraten. Nehmen Sie mindestens zwölf Zeichen, am besten mehrere Wörter, die nichts miteinander zu tun haben.",
  leaked_password:
    "Dieses Passwort ist kaum mehr als eines, das anderswo bekannt wurde. Rateprogramme versuchen die zuerst. Vier Wörter, die nichts miteinander zu tun haben, sind gut.",
  missing_token: "Sie sind nicht angemeldet. Melden Sie sich an.",
  invalid_token: "Das Verwaltungstoken ist nicht gültig.",
  expired_token: "Das Verwaltungstoken ist abgelaufen.",
  revoked_token: "Das Verwaltungstoken wurde widerrufen.",
  invalid_setup_token:
    "Der Einrichtungslink wurde schon benutzt, ist abgelaufen oder vertippt. Einen neuen macht: petstore setup-link",
  invalid_credentials: "E-Mail-Adresse oder Passwort stimmt nicht.",
  invalid_session: "Ihre Sitzung ist beendet. Melden Sie sich neu an.",
  invalid_passkey: "Dieser Passkey ist hier nicht bekannt, oder die Prüfung ist fehlgeschlagen.",
  invalid_reset_token:
    "Der Link wurde schon benutzt, ist abgelaufen oder vertippt. Lassen Sie sich einen neuen geben.",
  session_required: "Das kann nur, wer sich angemeldet hat.",
  proof_required:
    "Ihre Anmeldung ist eine Weile her. Bestätigen Sie, dass Sie es sind, und versuchen Sie es noch einmal.",
  cross_site_request:
    "Die Anfrage kam von einer Seite einer anderen Website und wurde darum abgelehnt.",
  insufficient_role: "Ihre Rolle erlaubt das nicht. Wer Inhaber des Kontos ist, kann es.",
  plan_required:
    "Der Tarif des Kontos enthält das nicht. Wer diesen Dienst betreibt, kann ihn ändern.",
  member_exists: "Diese E-Mail-Adresse hat schon jemand. Nehmen Sie eine andere.",
  last_operator:
    "Das ist die letzte Person, die diese Installation betreiben kann. Fügen Sie zuerst eine andere hinzu.",
  slug_taken: "Diese Adresse hat schon ein anderes Projekt. Wählen Sie eine andere.",
  deploy_not_ready:
    "Diese Version ist nicht vollständig und lässt sich nicht verwenden. Senden Sie sie noch einmal.",
  deploy_is_live: "Diese Version ist gerade online. Veröffentlichen Sie zuerst eine andere.",
  deploy_required:
    "Veröffentlichen Sie das Projekt zuerst: mit eigenen Seiten oder mit der fertigen Tierseite.",
  domain_exists: "Das Konto hat diese Domain schon.",
  domain_not_ready: "Die Domain hat noch kein Zertifikat. Was noch fehlt, steht auf ihrer Seite.",
  authority_refused: "Die Zertifizierungsstelle lehnt das ab. Die Meldung nennt ihre Worte.",
  limit_reached:
    "Davon darf es nicht noch mehr geben. Entfernen Sie zuerst etwas, das nicht mehr gebraucht wird.",
};
