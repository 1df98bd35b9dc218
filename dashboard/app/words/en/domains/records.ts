/** What is to be entered at the DNS provider, and who has heard of it. */
export const records = {
  records: "Enter this at your DNS provider",
  recordsFound: "Records",
  recordsText: (zone: string) => `Where the DNS of ${zone} is managed. Each cell can be copied.`,
  record: { type: "Type", name: "Name", value: "Value", ttl: "TTL", state: "Seen now" },
  recordStates: {
    unchecked: "Not asked yet",
    found: "Found",
    missing: "Not there yet",
    wrong: "Another value",
    propagating: "Spreading",
    unknown: "Could not be asked",
  },
  purposes: {
    routing: "leads visitors here",
    ownership: "proves that the domain is yours",
    delegation: "lets certificates be made ahead",
  },
  optional: "optional",
  insteadOf: "only where the record above cannot be entered",
  aliasOrAname: "ALIAS (or ANAME)",
  aliasNote:
    "For the domain itself a CNAME is not possible. Some providers call it ALIAS, others ANAME or a flattened CNAME; not all have it.",
  ttlNote: "If 3600 is not offered, take what comes closest.",
  enterName: (field: string, name: string) => `${field}: enter only “${name}”.`,
  enterEmpty: (field: string) => `${field}: leave it empty.`,
  addsZone: (provider: string, zone: string) => `${provider} adds .${zone} by itself.`,
  enterValue: (field: string) => `${field}: the value, as it is shown here.`,
  enterDot: (field: string) => `${field}: the value, with a dot at its end.`,
  genericName: (name: string, zone: string) =>
    `Most providers add .${zone} by themselves: enter only ${name}.`,
  instead: "Found instead",
  insteadAt: (servers: string) => `told by ${servers}`,
  differs: "Different part",
  nothing: "nothing",

  propagation: "Which server says what",
  propagationText:
    "Name servers have your records; resolvers ask them for visitors, and remember what they heard for a while.",
  server: "Server",
  says: "Says",
  spread: "State",
  serverStates: {
    new: "Has the new record",
    old: "Has an old answer",
    other: "Has another record",
  },
  forgotten: "forgotten at",
};
