import type { MailKinds } from "./kinds.ts";
import { hostOf, instantIn, line, lines, MAX_NAME, type Letter } from "./letter.ts";
import type { MailLanguage, MailWords } from "./words.ts";

/** Longest reason of a failure, in characters. */
const MAX_REASON = 1_000;

type Write<Kind extends keyof MailKinds> = (
  data: MailKinds[Kind],
  words: MailWords,
  language: MailLanguage,
) => Letter;

/** The letters of mails about events. */
export const noticeLetters: {
  readonly [
    Kind in
      | "domain_attention"
      | "backup_failed"
      | "quota_reached"
      | "webhook_disabled"
      | "new_device"
  ]: Write<Kind>;
} = {
  domain_attention: (data, { notices: { domain: words } }) => {
    const { trouble, url } = data;
    const domain = line(data.domain, MAX_NAME);
    const isGone = trouble === "released" || trouble === "lost";
    return {
      subject: isGone ? words.gone(domain) : words.subject(domain),
      blocks: [
        { text: words.troubles[trouble](domain) },
        ...(PAGE_HELPS.has(trouble) ? [{ text: words.page }] : []),
        { action: words.action, url },
        { text: words.rate },
      ],
    };
  },
  backup_failed: ({ reason, lastGoodAt, url }, { notices: { backup: words } }, language) => {
    const host = hostOf(url);
    const last = lastGoodAt === undefined ? words.none : instantIn(lastGoodAt, language);
    return {
      subject: words.subject(host),
      blocks: [
        { text: words.failed(host) },
        { quote: lines(reason, MAX_REASON) },
        { facts: [[words.last, last]] },
        { text: words.retried },
        { text: words.todo },
        { action: words.action, url },
        { text: words.rate },
      ],
    };
  },
  quota_reached: (data, { notices: { quota: words }, environments }, language) => {
    const { percent, limit, environment, resetsAt, url } = data;
    const shown = new Intl.NumberFormat(language === "de" ? "de" : "en-GB").format(limit);
    return {
      subject: words.subject(percent),
      blocks: [
        { text: words.used(percent, shown, environments[environment]) },
        { facts: [[words.resets, instantIn(resetsAt, language)]] },
        { text: words.next(percent) },
        { text: words.todo },
        { action: words.action, url },
        { text: words.rate },
      ],
    };
  },
  webhook_disabled: (data, { notices: { webhook: words } }, language) => {
    const { reason, description, status, firstFailureAt, systemId, url } = data;
    const host = line(data.host, MAX_NAME);
    const named =
      description === undefined ? [] : [fact(words.description, line(description, MAX_NAME))];
    const since =
      firstFailureAt === undefined ? [] : [fact(words.since, instantIn(firstFailureAt, language))];
    const last = fact(words.last, status === undefined ? words.none : String(status));
    return {
      subject: words.subject(host),
      blocks: [
        { text: reason === "gone" ? words.gone(host) : words.failing(host) },
        { facts: [...named, ...since, last] },
        { text: systemId === undefined ? words.todo : words.todoOnServer(systemId) },
        { action: words.action, url },
      ],
    };
  },
  new_device: (data, { greeting, notices: { device: words } }, language) => {
    const { name, at, browser, system, network, url } = data;
    const host = hostOf(url);
    const named =
      browser !== undefined && system !== undefined
        ? words.browserOn(browser, system)
        : (browser ?? system ?? words.unknown);
    return {
      subject: words.subject(host),
      blocks: [
        { text: greeting(line(name, MAX_NAME)) },
        { text: words.happened(host) },
        {
          facts: [
            [words.at, instantIn(at, language)],
            [words.browser, line(named, MAX_NAME)],
            [words.network, network ?? words.unknown],
          ],
        },
        { text: words.ours },
        { text: words.theirs },
        { action: words.action, url },
        { text: words.rate },
      ],
    };
  },
};

/** The troubles that the page of the domain explains further. */
const PAGE_HELPS: ReadonlySet<MailKinds["domain_attention"]["trouble"]> = new Set([
  "records",
  "stalled",
  "moved",
]);

function fact(label: string, value: string): readonly [string, string] {
  return [label, value];
}
