/** Holds of a project whose account is there: nothing is told of what is done without one. */
export const HAS_ACCOUNT =
  "EXISTS (SELECT 1 FROM accounts WHERE accounts.id = projects.account_id)";
