/** Of what other processes hold copies. */
export type Topic = "account" | "key" | "token" | "project" | "domain" | "member";

/** What a notice on the feed is about. */
export interface Notice {
  readonly seq: number;
  readonly topic: Topic;
  /** Id of the account, key, token, project, domain or member. */
  readonly subject: string;
}
