/** What can be done with a domain, and what is asked before. */
export const deeds = {
  add: "Add domain",
  verify: "Verify",
  reverify: "Re-verify",
  remove: "Remove",
  makePrimary: "Make it primary",

  renew: "Renew the certificate now",
  askRenew: (name: string) => `Renew the certificate of ${name} now?`,
  askRenewText:
    "It is renewed by itself in time. Ordering one now counts towards the limits of the certificate authority; what there is stays until the new one has come.",
  renewing: "The next certificate is ordered as soon as the DNS has been looked at.",
  export: "Export certificate and key",
  askExport: (name: string) => `Export certificate and private key of ${name}?`,
  askExportText: (name: string) =>
    `Whoever has the file can pretend to be ${name}. That it was exported is written down.`,
  exported: (name: string) => `Certificate and key of ${name} were saved. Keep the file safe.`,

  askRemove: (name: string) => `Remove ${name}?`,
  askRemoveText: (name: string) =>
    `Visitors of ${name} are not served any more, at once. For 30 days its certificate is kept: added again to this project, it is live at once.`,
  removed: (name: string) => `${name} was removed and is not served any more.`,
  cleanup: "What to delete at your DNS provider",
  cleanupText:
    "Delete this as well, so that the name does not lead to where nobody answers for it any more.",
  addAgain: "Add it again",
  removedLately: "Removed lately",
  removedAt: "Removed",
};
