/** The renewal of a certificate, on the domain's page and on the System page. */
export const renew = {
  action: "Renew certificate",
  title: (name: string) => `Renew the certificate for ${name} now?`,
  text: "Certificates renew automatically. An extra order counts towards the rate limits of the certificate authority. The current certificate stays in use until the new one is issued.",
  done: (name: string) => `Ordering a new certificate for ${name}.`,
};
