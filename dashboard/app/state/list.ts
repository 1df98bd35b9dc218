import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";

import type { Problem, Result } from "../api.ts";
import { whenOutdated } from "./outdated.ts";

interface Numbered {
  readonly id: number;
}

/** What is asked of the service: at most `limit` of those that come after the one with that id. */
export interface PageOf {
  readonly after?: number;
  readonly limit: number;
}

/** A long list, as far as it has been asked for. */
export interface List<Item> {
  /** Undefined until the first page has come. */
  readonly items: readonly Item[] | undefined;
  readonly problem: Problem | undefined;
  /** There are more than these. */
  readonly more: boolean;
  readonly loading: boolean;
  readonly loadMore: () => Promise<void>;
  /** Asks anew, for as many as are shown. */
  readonly reload: () => Promise<void>;
  /** Puts others in the place of these, as the answer to a change. */
  readonly change: (revise: (items: readonly Item[]) => readonly Item[]) => void;
}

interface State<Item> {
  readonly items: readonly Item[] | undefined;
  readonly problem: Problem | undefined;
  readonly more: boolean;
  readonly loading: boolean;
}

const PAGE = 50;
/** As many as the service tells at a time, less the one that is asked for besides. */
const MAX_PAGE = 999;
const ASKED = { items: undefined, problem: undefined, more: false, loading: true };

/**
 * Asks for the first page when it is shown, and anew whenever `key` changes. While a new key's page is under way the
 * old one's stays: a filter that narrows as it is typed does not make the list flicker.
 */
export function useList<Item extends Numbered>(
  key: string,
  load: (page: PageOf) => Promise<Result<readonly Item[], Problem>>,
): List<Item> {
  const state = useSignal<State<Item>>(ASKED);
  const turn = useRef(0);
  const latest = useRef(load);
  latest.current = load;

  const ask = useCallback(async (before: readonly Item[], limit: number) => {
    const mine = ++turn.current;
    state.value = { ...state.peek(), loading: true };
    const last = before.at(-1)?.id;
    // One more than is shown tells whether there is more.
    const result = await latest.current({
      limit: limit + 1,
      ...(last === undefined ? {} : { after: last }),
    });
    if (mine !== turn.current) return;
    state.value = result.ok
      ? {
          items: [...before, ...result.value.slice(0, limit)],
          problem: undefined,
          more: result.value.length > limit,
          loading: false,
        }
      : { ...state.peek(), problem: result.failure, loading: false };
  }, []);

  const reload = useCallback(
    () => ask([], Math.min(MAX_PAGE, Math.max(PAGE, state.peek().items?.length ?? 0))),
    [],
  );
  const loadMore = useCallback(() => ask(state.peek().items ?? [], PAGE), []);
  const change = useCallback<List<Item>["change"]>((revise) => {
    const { items, more } = state.peek();
    if (items === undefined) return;
    const revised = revise(items);
    // That nothing of it is left does not mean that there is nothing: the next ones are asked for.
    const emptied = revised.length === 0 && more;
    state.value = { ...state.peek(), items: emptied ? undefined : revised };
    if (emptied) void reload();
  }, []);

  useEffect(() => {
    void ask([], PAGE);
    const forget = whenOutdated(reload);
    return () => {
      forget();
      turn.current++;
    };
  }, [key]);

  return { ...state.value, loadMore, reload, change };
}
