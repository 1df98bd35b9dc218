const notYet = "not in this version";

/** Commands that are planned, so that whoever has read of them learns that they were not mistyped. */
export const laterCommands: ReadonlySet<string> = new Set([
  "backup",
  "restore",
  "demo",
  "completion",
]);

/** Options that are planned, and what to say of each. */
export const laterOptions: ReadonlyMap<string, string> = new Map([
  ["database-url", `${notYet}: the database is SQLite in the data directory`],
  ["redis-url", `${notYet}: rate limits are counted by the one process that serves`],
  ["dns-listen", `${notYet}: a wildcard record below cname-target leads to this service`],
]);
