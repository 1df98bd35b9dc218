/** The members that are there: a checked body names those that are not as `undefined`. */
export function present<Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]: Exclude<Members[Name], undefined> } {
  const there = Object.entries(members).filter(([, value]) => value !== undefined);
  // What is missing here may be missing there: only such members can have been `undefined`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(there) as ReturnType<typeof present<Members>>;
}
