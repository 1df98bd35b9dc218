/** What is around a finding, and the list of what usually keeps a certificate. */
export const findings = {
  findings: "What was found",
  severities: { blocking: "Holds it up", warning: "Good to know" },
  observed: "Seen",
  expected: "Should be",
  fix: "What to do",
  saidBy: (servers: string) => `told by ${servers}`,
  andMore: (count: string) => `${count} more`,
  openPage: "Open the page of the certificate authority",

  stalled: "No certificate after 30 minutes",
  stalledText: "This is what usually keeps it. We have looked at each point again.",
  stalledChecks: {
    verifies: "The domain still verifies",
    caa: "CAA records let the certificate be made",
    authority: "The certificate authority has not refused",
  },
  stalledStates: { ok: "Yes", no: "No", unknown: "Not known" },
};
