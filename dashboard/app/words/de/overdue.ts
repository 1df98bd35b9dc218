import type { OverdueWords } from "../en/overdue.ts";
import { dateTime, number } from "../format.ts";

export const overdue: OverdueWords = {
  what: ({ count, expired, domain, at }) =>
    count === 1
      ? expired === 1
        ? `Das Zertifikat von ${domain} ist am ${dateTime(at)} abgelaufen. Die meisten Besucher können die Website nicht öffnen.`
        : `Das Zertifikat von ${domain} wurde nicht rechtzeitig erneuert. Es läuft am ${dateTime(at)} ab.`
      : expired > 0
        ? `${number(count)} Zertifikate wurden nicht rechtzeitig erneuert. Abgelaufen sind davon ${number(expired)}, zuerst am ${dateTime(at)} das von ${domain}. Die meisten Besucher können diese Websites nicht öffnen.`
        : `${number(count)} Zertifikate wurden nicht rechtzeitig erneuert. Zuerst läuft am ${dateTime(at)} das von ${domain} ab.`,
  open: (domain) => `Nachsehen, was bei ${domain} zu tun ist`,
  system: "Nachsehen, woran es liegt",
};
