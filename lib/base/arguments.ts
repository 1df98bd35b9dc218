import { checkArgument, type Expectation } from "./options.ts";

/**
 * Returns `actions` whose methods throw a TypeError if one of their first arguments is not what `expected` says. An object
 * instead of an ID would name nothing, and a text instead of an object would leave out all that it should contain: JavaScript
 * callers that ignore the outcome would not notice either.
 */
export function takingArguments<Actions extends object>(
  owner: string,
  actions: Actions,
  expected: { readonly [Name in keyof Actions]?: readonly Expectation[] },
): Actions {
  const checked = Object.entries<readonly Expectation[] | undefined>(expected).map(
    ([name, expectations = []]) => {
      const method: unknown = Reflect.get(actions, name);
      if (typeof method !== "function") throw new Error(`unreachable: ${owner}.${name}`);
      const call = (...given: readonly unknown[]): unknown => {
        for (const [index, expectation] of expectations.entries()) {
          checkArgument(`${owner}.${name}`, given[index], expectation);
        }
        return Reflect.apply(method, actions, given);
      };
      return [name, call] as const;
    },
  );
  return { ...actions, ...Object.fromEntries(checked) };
}

/** Says the kind only: a wrong argument can be a secret. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** A positional ID. */
export const anId: Expectation = {
  what: "an ID, which is a text",
  holds: (value) => typeof value === "string",
  instead: kindOf,
};

/** The one argument of a method that takes its arguments by name. */
export const namedArguments: Expectation = {
  what: "one object with its arguments by name",
  holds: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  instead: kindOf,
};
