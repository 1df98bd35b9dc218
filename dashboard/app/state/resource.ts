import { useSignal, type Signal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";

import { onStaleData, type Problem, type Result } from "../api.ts";

interface State<Value> {
  /** The last response; kept while it is loaded again. */
  readonly value: Value | undefined;
  /** Why the last request failed. */
  readonly problem: Problem | undefined;
  readonly loading: boolean;
}

/** Data of the service, as far as it is loaded. */
export interface Resource<Value> extends State<Value> {
  /** Resolves when the response has arrived. */
  readonly reload: () => Promise<void>;
  /** Replaces the value by one known already, such as the response to a change. Drops a response under way: it is older. */
  readonly put: (value: Value) => void;
  /** Changes a part of the value, and loads again if a response was under way. */
  readonly change: (revise: (value: Value) => Value) => void;
}

type Load<Value> = () => Promise<Result<Value, Problem>>;

const LOADING = { value: undefined, problem: undefined, loading: true };

/**
 * Loads when first rendered, when `key` changes and when the data turns out to be stale. A new key drops the value of
 * the old one. A response that arrives after a later request is dropped.
 */
export const useResource = <Value>(key: string, load: Load<Value>): Resource<Value> => {
  const { state, turn, reload } = useLoads(key, load, true);
  const put = useCallback((value: Value) => {
    turn.current++;
    state.value = { value, problem: undefined, loading: false };
  }, []);
  const change = useCallback<Resource<Value>["change"]>((revise) => {
    const { value, loading } = state.peek();
    if (value === undefined) return;
    put(revise(value));
    // The response under way lacks the change, and has what others changed.
    if (loading) void reload();
  }, []);
  return { ...state.value, reload, put, change };
};

interface Loads<Value> {
  readonly state: Signal<State<Value>>;
  /** Number of the latest request; increment it to drop the response under way. */
  readonly turn: { current: number };
  readonly run: (load: Load<Value>) => Promise<void>;
  readonly reload: () => Promise<void>;
}

function useLoads<Value>(key: string, load: Load<Value>, dropOld: boolean): Loads<Value> {
  const state = useSignal<State<Value>>(LOADING);
  const turn = useRef(0);
  const latest = useRef(load);
  latest.current = load;
  const run = useCallback(async (request: Load<Value>) => {
    const mine = ++turn.current;
    state.value = { ...state.peek(), loading: true };
    const result = await request();
    if (mine !== turn.current) return;
    state.value = result.ok
      ? { value: result.value, problem: undefined, loading: false }
      : { ...state.peek(), problem: result.failure, loading: false };
  }, []);
  const reload = useCallback(() => run(latest.current), []);
  useEffect(() => {
    if (dropOld) state.value = LOADING;
    void reload();
    const stop = onStaleData(reload);
    return () => {
      stop();
      turn.current++;
    };
  }, [key]);
  return { state, turn, run, reload };
}

/** Query of one page: at most `limit` items that follow the one with the id `after`. */
export interface PageOf {
  readonly after?: number;
  readonly limit: number;
}

/** The part of a long list that is loaded. */
export interface List<Item> extends Omit<State<unknown>, "value"> {
  /** Undefined until the first page has arrived. */
  readonly items: readonly Item[] | undefined;
  /** The service has more items. */
  readonly more: boolean;
  readonly loadMore: () => Promise<void>;
  /** Loads as many items as are shown. */
  readonly reload: () => Promise<void>;
  /** Replaces the items, after a change. A list of 999 gets no longer by it: it loses its end, which can be loaded. */
  readonly change: (revise: (items: readonly Item[]) => readonly Item[]) => void;
}

interface Loaded<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

const PAGE = 50;
/** The service's largest page, less the one extra item that we request. */
const MAX_PAGE = 999;

/**
 * Loads the first page when first rendered and when `key` changes. The old key's items stay until the new page
 * arrives, so a list filtered while typing does not flicker.
 */
export function useList<Item extends { readonly id: number }>(
  key: string,
  load: (page: PageOf) => Promise<Result<readonly Item[], Problem>>,
): List<Item> {
  const latest = useRef(load);
  latest.current = load;
  const shown = useRef(PAGE);
  useEffect(() => {
    shown.current = PAGE;
  }, [key]);
  const page = async (
    before: readonly Item[],
    limit: number,
  ): Promise<Result<Loaded<Item>, Problem>> => {
    const last = before.at(-1)?.id;
    // One item more than shown reveals whether more follow.
    const query = { limit: limit + 1, ...(last === undefined ? {} : { after: last }) };
    const result = await latest.current(query);
    if (!result.ok) return result;
    const items = [...before, ...result.value.slice(0, limit)];
    return { ok: true, value: { items, more: result.value.length > limit } };
  };
  const { state, run, reload } = useLoads<Loaded<Item>>(
    key,
    () => page([], Math.min(MAX_PAGE, Math.max(PAGE, shown.current))),
    false,
  );
  const { value, ...rest } = state.value;
  shown.current = value?.items.length ?? PAGE;
  const loadMore = useCallback(() => run(() => page(state.peek().value?.items ?? [], PAGE)), []);
  const change = useCallback<List<Item>["change"]>((revise) => {
    const now = state.peek();
    if (now.value === undefined) return;
    const items = revise(now.value.items);
    // The last shown item was removed, but more follow: load those.
    const emptied = items.length === 0 && now.value.more;
    const most = Math.max(MAX_PAGE, now.value.items.length);
    const more = now.value.more || items.length > most;
    const left = emptied ? undefined : { items: items.slice(0, most), more };
    state.value = { ...now, value: left };
    if (emptied) void reload();
  }, []);
  return { ...rest, items: value?.items, more: value?.more ?? false, loadMore, reload, change };
}

/** Calls `load` at an interval while the page is visible, and whenever it becomes visible. */
export function usePolling(everyMs: number, load: () => Promise<unknown>): void {
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const poll = (): void => {
      if (document.visibilityState === "visible") void latest.current();
    };
    const timer = window.setInterval(poll, everyMs);
    document.addEventListener("visibilitychange", poll);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, [everyMs]);
}
