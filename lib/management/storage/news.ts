import type { EventType } from "../../model/event.ts";
import { addEvent, addEventAnyway } from "../../storage/changes/notes.ts";
import type { Script } from "../../sql/script.ts";
import type { BatchRows } from "../../sql/sql.ts";
import { OPERATORS } from "./rows.ts";

/** An event of an account, or of the operators. */
export interface News {
  readonly type: EventType;
  /** `OPERATORS` for what belongs to none. */
  readonly accountId: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Tells what is an account's while the account is there, and what is the operators', who need none. */
export function tell(script: Script<string>, make: (rows: BatchRows) => News | undefined): void {
  const operators = (news: News | undefined): boolean => news?.accountId === OPERATORS;
  addEvent(script, (rows) => {
    const news = make(rows);
    return operators(news) ? undefined : news;
  });
  addEventAnyway(script, (rows) => {
    const news = make(rows);
    return operators(news) ? news : undefined;
  });
}
