import type { ProblemCode } from "../../../../lib/base/problem.ts";

/** One for each code, because the service's own messages are in English. */
export const problems: Readonly<Record<ProblemCode, string>> = {
  invalid_json: "Das ist kein gültiges JSON.",
  invalid_body: "Die Angaben haben nicht die erwartete Form.",
  missing_field: "Eine Pflichtangabe fehlt.",
  invalid_value: "Eine Angabe hat einen Wert, der nicht erlaubt ist.",
  unknown_field: "Eine Angabe ist nicht bekannt.",
  unknown_category:
    "Diese Kategorie gibt es nicht mehr. Laden Sie die Seite neu und wählen Sie eine andere.",
  invalid_parameter: "Ein Parameter hat einen Wert, der nicht erlaubt ist.",
  unknown_parameter: "Ein Parameter ist nicht bekannt.",
  invalid_cursor: "Die Liste hat sich geändert. Laden Sie die Seite neu.",
  missing_api_key: "Es wurde kein API-Schlüssel gesendet.",
  invalid_api_key: "Der API-Schlüssel ist nicht gültig.",
  expired_api_key: "Der API-Schlüssel ist abgelaufen.",
  revoked_api_key: "Der API-Schlüssel wurde widerrufen.",
  wrong_environment: "Der API-Schlüssel gehört zur anderen Umgebung.",
  insufficient_scope: "Dem API-Schlüssel fehlt eine Berechtigung.",
  address_not_allowed: "Von dieser Adresse aus darf der API-Schlüssel nicht benutzt werden.",
  https_required:
    "Das geht nur über HTTPS, damit niemand unterwegs mitliest. Öffnen Sie die Seite mit https:// – oder auf demselben Rechner über localhost.",
  account_suspended: "Das Konto ist gesperrt. Sie können es ansehen, aber nicht ändern.",
  not_found: "Das gibt es nicht mehr, oder die Adresse ist falsch.",
  route_not_found: "Diese Adresse gibt es nicht.",
  method_not_allowed: "Das ist hier nicht vorgesehen.",
  not_acceptable: "Hier gibt es nur JSON.",
  request_timeout: "Die Anfrage hat zu lange gedauert. Versuchen Sie es noch einmal.",
  invalid_transition: "Dieser Wechsel des Status ist nicht erlaubt.",
  category_in_use:
    "Die Kategorie wird noch von Tieren benutzt, auch von kürzlich gelöschten. Ordnen Sie diese zuerst anders ein.",
  category_exists: "Eine Kategorie dieses Namens gibt es schon.",
  idempotency_in_progress: "Dieselbe Anfrage läuft gerade schon.",
  operation_removed: "Diese Funktion gibt es nicht mehr.",
  precondition_failed:
    "Jemand anderes hat das inzwischen geändert. Laden Sie die Seite neu, und prüfen Sie, ob Ihre Änderung noch passt.",
  payload_too_large: "Der Upload ist zu groß. Senden Sie weniger oder kleinere Dateien.",
  uri_too_long: "Die Adresse ist zu lang.",
  unsupported_media_type: "Dieser Inhalt wird hier nicht angenommen.",
  idempotency_key_reused: "Diese Anfrage gab es schon mit anderen Angaben.",
  rate_limited: "Zu viele Anfragen. Warten Sie einen Moment, und versuchen Sie es noch einmal.",
  quota_exceeded:
    "Das Tageslimit des Tarifs ist aufgebraucht. Unter „Nutzung“ steht, wann es zurückgesetzt wird.",
  key_banned: "Der API-Schlüssel ist vorübergehend gesperrt.",
  internal_error:
    "Bei uns ist etwas schiefgegangen. Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.",
  unavailable:
    "Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
  invalid_archive:
    "Diese Website lässt sich nicht veröffentlichen. Beheben Sie den unten auf Englisch genannten Fehler, und laden Sie sie noch einmal hoch.",
  invalid_picture:
    "Aus diesem Bild lässt sich kein Foto machen. Der Grund steht unten auf Englisch. Speichern Sie es als JPEG, und laden Sie es noch einmal hoch.",
  unreadable_file: "Die Datei ist nicht als Tabelle lesbar.",
  import_not_ready: "Der Import ist in einem anderen Zustand.",
  invalid_site_file:
    "petstore.site.json enthält einen Fehler. Beheben Sie ihn wie unten auf Englisch genannt, und laden Sie die Website noch einmal hoch.",
  weak_password:
    "Dieses Passwort ist zu leicht zu erraten. Nehmen Sie mindestens zwölf Zeichen, am besten mehrere Wörter, die nichts miteinander zu tun haben.",
  leaked_password:
    "Dieses Passwort ähnelt einem, das anderswo bekannt wurde. Verwenden Sie vier Wörter, die nichts miteinander zu tun haben.",
  missing_token: "Sie sind nicht angemeldet. Melden Sie sich an.",
  invalid_token: "Das Verwaltungstoken ist nicht gültig.",
  expired_token: "Das Verwaltungstoken ist abgelaufen.",
  revoked_token: "Das Verwaltungstoken wurde widerrufen.",
  invalid_setup_token:
    "Der Einrichtungslink wurde schon benutzt, ist abgelaufen oder falsch geschrieben. Einen neuen erstellen Sie so: petstore setup-link",
  invalid_credentials: "E-Mail-Adresse oder Passwort stimmt nicht.",
  invalid_session: "Ihre Sitzung ist beendet. Melden Sie sich neu an.",
  invalid_passkey: "Dieser Passkey ist hier nicht bekannt, oder die Prüfung ist fehlgeschlagen.",
  invalid_reset_token:
    "Der Link wurde schon benutzt, ist abgelaufen oder falsch geschrieben. Bitten Sie um einen neuen.",
  session_required: "Dafür müssen Sie angemeldet sein; ein Token genügt nicht.",
  proof_required:
    "Ihre Anmeldung ist eine Weile her. Bestätigen Sie Ihre Identität, und versuchen Sie es noch einmal.",
  cross_site_request: "Die Anfrage kam von einer anderen Website.",
  insufficient_role: "Ihre Rolle erlaubt das nicht. Wenden Sie sich an einen Inhaber des Kontos.",
  plan_required:
    "Der Tarif des Kontos enthält das nicht. Der Betreiber dieses Dienstes kann ihn ändern.",
  member_exists: "Diese E-Mail-Adresse ist vergeben. Verwenden Sie eine andere.",
  last_operator: "Das ist der letzte Betreiber. Fügen Sie zuerst einen anderen hinzu.",
  slug_taken: "Diese Adresse hat schon ein anderes Projekt. Wählen Sie eine andere.",
  deploy_not_ready: "Diese Version ist unvollständig. Laden Sie die Website noch einmal hoch.",
  deploy_is_live: "Diese Version ist gerade online. Veröffentlichen Sie zuerst eine andere.",
  deploy_required:
    "Veröffentlichen Sie das Projekt zuerst: mit eigenen Seiten oder mit der Tierseite.",
  domain_exists: "Das Konto hat diese Domain schon.",
  domain_not_ready: "Die Domain hat noch kein Zertifikat. Was noch fehlt, steht auf ihrer Seite.",
  authority_refused: "Die Zertifizierungsstelle lehnt das ab. Die Meldung nennt den Grund.",
  webhook_disabled: "Der Webhook ist deaktiviert. Aktivieren Sie ihn zuerst.",
  limit_reached:
    "Das Limit ist erreicht. Entfernen Sie etwas, das Sie nicht mehr brauchen, und versuchen Sie es noch einmal.",
};
