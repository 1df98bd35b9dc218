import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";

import type { ListPage } from "../../../lib/management/client.ts";
import type { PetstoreOperations } from "../../../domains/operations.ts";
import type { InputArguments, ItemOf, ListsIn } from "../../../lib/http/operation.ts";
import { management, settle, type Output, type Problem, type Result } from "../api.ts";
import type { List } from "./resource.ts";

/** Reads one page of a list. */
export function listPage<Name extends ListsIn<PetstoreOperations>>(
  operation: Name,
  ...input: InputArguments<PetstoreOperations[Name]>
): Promise<Result<ListPage<ItemOf<Output<Name>>>, Problem>> {
  return settle(management.page(operation, ...input));
}

type NextQuery = ListPage<unknown>["next"];

interface State<Item> {
  readonly items: readonly Item[] | undefined;
  readonly next: NextQuery;
  readonly problem: Problem | undefined;
  readonly loading: boolean;
}

const LOADING = { items: undefined, next: undefined, problem: undefined, loading: true };

/** The most pages that are read for the first item: with a filter, a page can be empty although the list continues. */
const MAX_EMPTY = 20;

/**
 * Loads a list whose pages the service links to. `load` gets the query of the next page, or undefined for the first one.
 * A new `key` drops the items of the old one.
 */
export function usePages<Item>(
  key: string,
  load: (next: NextQuery) => Promise<Result<ListPage<Item>, Problem>>,
): List<Item> {
  const state = useSignal<State<Item>>(LOADING);
  const turn = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const run = useCallback(async (before: readonly Item[], from: NextQuery) => {
    const mine = ++turn.current;
    state.value = { ...state.peek(), loading: true };
    let items: readonly Item[] = before;
    let next = from;
    for (let read = 0; read < MAX_EMPTY; read++) {
      const page = await latest.current(next);
      if (mine !== turn.current) return;
      if (!page.ok) {
        state.value = { ...state.peek(), problem: page.failure, loading: false };
        return;
      }
      items = [...items, ...page.value.items];
      next = page.value.next;
      if (items.length > before.length || next === undefined) break;
    }
    state.value = { items, next, problem: undefined, loading: false };
  }, []);
  const reload = useCallback(() => run([], undefined), []);
  const loadMore = useCallback(async () => {
    const { items = [], next } = state.peek();
    await run(items, next);
  }, []);
  const change = useCallback<List<Item>["change"]>((revise) => {
    const now = state.peek();
    if (now.items !== undefined) state.value = { ...now, items: revise(now.items) };
  }, []);
  useEffect(() => {
    state.value = LOADING;
    void reload();
    return () => {
      turn.current++;
    };
  }, [key]);
  const { items, next, problem, loading } = state.value;
  return { items, more: next !== undefined, problem, loading, reload, loadMore, change };
}
