/** The first words of all commands, as a pattern: every first page of the dashboard loads it. */
export const COMMAND_WORDS: string =
  "accounts|audit|backup|certs|completion|config|demo|deploys?|doctor|domains|enquiries|explain|export|healthcheck|import|imports|keys|mail|members|migrate|nodes|openapi|orders|pets|projects|restore|rollback|serve|setup-link|sites|tokens|usage|version|webhooks";

const COMMAND = new RegExp(
  `(?<![\\w./-])petstore (?=(${COMMAND_WORDS}|\\[?COMMAND|--help|--version)(?![\\w-]))`,
  "g",
);

/** Replaces the name of the program, in the commands of a text for people, by what the user types. */
export function asTyped(text: string, program: string): string {
  return text.replaceAll(COMMAND, () => `${program} `);
}
