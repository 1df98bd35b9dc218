/**
 * Loaded before the tests of a suite: leaves out the errors that services without a log write to the console, because tests
 * provoke hundreds. `bun test FILE` shows them.
 */
const { error } = console;
console.error = (...said: readonly unknown[]) => {
  const [first] = said;
  if (typeof first !== "string" || !first.startsWith("petstore: ")) error(...said);
};
