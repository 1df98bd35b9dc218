import type { MailKind, MailKinds } from "./kinds.ts";
import {
  hostOf,
  htmlOf,
  instantIn,
  line,
  lines,
  MAX_NAME,
  subjectOf,
  textOf,
  type Letter,
} from "./letter.ts";
import type { Mailbox } from "./mailer.ts";
import { noticeLetters } from "./notice-letters.ts";
import { mailWords, type MailLanguage, type MailWords } from "./words.ts";

/** The texts of a mail. */
export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: MailLanguage;
  readonly replyTo?: Mailbox;
  readonly unsubscribe?: string;
}

/** Longest text of another person in a mail, in characters. */
const MAX_MESSAGE = 8_000;
const MAX_PHONE = 60;

/** Writes a mail. Pure: an attempt after a failed one writes the same. */
export function writeMail<Kind extends MailKind>(
  {
    kind,
    data,
    unsubscribe,
  }: {
    readonly kind: Kind;
    readonly data: MailKinds[Kind];
    readonly unsubscribe?: string | undefined;
  },
  language: MailLanguage,
): WrittenMail {
  const words = mailWords[language];
  const { blocks, ...written } = letters[kind](data, words, language);
  const ending = unsubscribe === undefined ? [] : [{ aside: words.unsubscribe, at: unsubscribe }];
  const letter = { ...written, blocks: [...blocks, ...ending] };
  return {
    subject: subjectOf(letter),
    text: textOf(letter),
    html: htmlOf(letter, language),
    language,
    ...(letter.replyTo === undefined ? {} : { replyTo: letter.replyTo }),
    ...(unsubscribe === undefined ? {} : { unsubscribe }),
  };
}

type Answerable = Letter & { readonly replyTo?: Mailbox };

const letters: {
  readonly [Kind in MailKind]: (
    data: MailKinds[Kind],
    words: MailWords,
    language: MailLanguage,
  ) => Answerable;
} = {
  invitation: ({ name, account, inviter, url, expiresAt }, words, language) => {
    const { subject, by, plain, action, once, unexpected, ...places } = words.invitation;
    const host = hostOf(url);
    const place = account === undefined ? host : places.account(line(account, MAX_NAME), host);
    return {
      subject: subject(account === undefined ? host : line(account, MAX_NAME)),
      blocks: [
        { text: words.greeting(line(name, MAX_NAME)) },
        { text: inviter === undefined ? plain(place) : by(line(inviter, MAX_NAME), place) },
        { action, url },
        { text: once(instantIn(expiresAt, language)) },
        { text: unexpected },
      ],
    };
  },
  password_reset: ({ name, url, expiresAt }, words, language) => {
    const { subject, asked, action, once, unexpected } = words.reset;
    const host = hostOf(url);
    return {
      subject: subject(host),
      blocks: [
        { text: words.greeting(line(name, MAX_NAME)) },
        { text: asked(host) },
        { action, url },
        { text: once(instantIn(expiresAt, language)) },
        { text: unexpected },
      ],
    };
  },
  enquiry: (data, words) => {
    const { enquiry } = words;
    const [name, site] = [line(data.name, MAX_NAME), line(data.site, MAX_NAME)];
    const animal = data.animal === undefined ? undefined : line(data.animal, MAX_NAME);
    const message = lines(data.message, MAX_MESSAGE);
    const phone: readonly (readonly [string, string])[] =
      data.phone === undefined ? [] : [[enquiry.phone, line(data.phone, MAX_PHONE)]];
    return {
      subject: enquiry.subject(animal, site),
      replyTo: { address: data.email, name },
      blocks: [
        { text: enquiry.asked(name, animal, site) },
        { quote: message },
        ...(message.endsWith("…") ? [{ text: words.more }] : []),
        { facts: [[enquiry.name, name], [enquiry.email, data.email], ...phone] },
        { action: enquiry.action, url: data.url },
        { text: enquiry.reply(name) },
      ],
    };
  },
  certificates_overdue: (data, { overdue: words }, language) => {
    const { overdue, expired, firstExpiresAt, url } = data;
    const names = data.names.map((name) => line(name, MAX_NAME));
    const [first = ""] = names;
    const unnamed = overdue - names.length;
    const listed = [...names, ...(unnamed > 0 ? [words.more(unnamed)] : [])].join(", ");
    return {
      subject:
        data.stage === 4
          ? words.subjectExpired(first, expired - 1)
          : words.subject(first, overdue - 1),
      blocks: [
        { text: words.observed(overdue) },
        {
          facts: [
            [words.domains, listed],
            [expired === 0 ? words.first : words.expiredOn, instantIn(firstExpiresAt, language)],
          ],
        },
        { text: expired === 0 ? words.notYet : words.expired(expired, overdue) },
        { text: data.operator ? words.operator : words.owner },
        { action: words.action, url },
        { text: words.stage(data.stage) },
      ],
    };
  },
  ...noticeLetters,
  test: ({ url }, { test }) => {
    const host = hostOf(url);
    return {
      subject: test.subject(host),
      blocks: [{ text: test.works(host) }, { action: test.action, url }],
    };
  },
};
