/** The words of the dialog that asks users to confirm their identity. */
export const proof = {
  title: "Confirm your identity",
  about:
    "This is a sensitive action, and you signed in a while ago. You will not be asked again for 15 minutes.",
  passkey: "Use passkey",
  password: "Password",
  wrong: "Incorrect password.",
  action: "Confirm identity",
};

export type ProofWords = typeof proof;
