/** What is said when somebody who signed in a while ago is asked for a proof of it. */
export const proof = {
  title: "Confirm that it is you",
  about:
    "You signed in a while ago, and this reaches further than most. Asking again keeps others who get at your browser from opening a way in for themselves. You are then not asked again for 15 minutes.",
  passkey: "Use a passkey",
  password: "Your password",
  wrong: "This is not your password.",
  action: "Confirm",
};

export type ProofWords = typeof proof;
