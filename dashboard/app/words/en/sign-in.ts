/** The page at which people sign in. */
export const signIn = {
  title: "Sign in",
  email: "E-mail address",
  password: "Password",
  show: "Show the password",
  action: "Sign in",
  wrong: "The e-mail address or the password is wrong.",
  or: "or",
  passkey: "Sign in with a passkey",
  passkeyFaults: {
    cancelled: "No passkey was chosen. Try again, or use your password.",
    unsupported: "This browser knows no passkeys. Use your password.",
    known: "This device has a passkey for you already.",
    broken: "The passkey could not be used here. Try again, or use your password.",
  },
  forgotten: "You forgot your password?",
  forgottenText:
    "An owner of your account, or the operator, makes a link in the dashboard by which you choose another one. We send no mail.",
  forgottenOperator: "Operators make it on the machine that runs Petstore:",
  command: "the command",
  nobody: {
    title: "Nobody can sign in yet",
    text: "The first operator is made by the setup link. It is shown where Petstore was started; this makes another one:",
  },
  unsafe: {
    title: "Open this page over HTTPS, or on the computer itself",
    text: "What you type here would cross the network for anybody to read. Signing in works over HTTPS, and over plain HTTP only on the computer that runs Petstore.",
    secure: "Try it over HTTPS",
    operator:
      "You run this service? Give it a certificate, or leave HTTPS to a proxy and name it in trusted-proxies.",
  },
};
