/** Asking for a name, and what can be told of it beforehand. */
export const adding = {
  addTitle: "Add a domain",
  addLabel: "Domain or subdomain",
  addHint: "For example pets.shelter.org. Paste an address, and we take the name out of it.",
  taken: (name: string) => `We use ${name}.`,
  asciiOf: (ascii: string) => `In the DNS: ${ascii}`,
  lookAlikes: {
    mixed_scripts:
      "This name mixes letters of several alphabets. Make sure that it is yours, and typed as you mean it.",
    resembles_latin:
      "Letters of this name look like Latin ones and are others. Make sure that it is typed as you mean it.",
  },
  faults: {
    empty: "Enter a domain, for example pets.shelter.org.",
    ip_address: "This is an IP address. Enter a name, for example pets.shelter.org.",
    wildcard: "Wildcards are not possible. Add each name by itself.",
    single_label: "Something is missing after the name, for example .org.",
    too_long: "A domain has at most 253 characters.",
    mail: "This looks like a mail address. Enter the name of the domain alone.",
    invalid: "Letters, digits and hyphens, with dots between the parts: like pets.shelter.org.",
    attached: "This project has that domain already.",
  },
  refusedNames: {
    own_domain: () => "This name belongs to this service. Enter a domain of yours.",
    special_use: (name: string) =>
      `${name} is not in the public DNS, and no certificate is issued for such names.`,
    public_suffix: (name: string) =>
      `Domains are registered below ${name}. Enter yours, for example shelter.${name}.`,
  },
  previewing: "Looking at the DNS of this name",
  previewClear: "Nothing is in the way. One record, and it works.",
  previewChanges: "It works once its records are changed; we show you how.",
  previewObstacles: "Something has to be mended first. You can add the domain already.",
  previewUnknown: "Its DNS could not be asked right now. You can add the domain anyway.",
  previewProvider: (name: string) => `Its DNS is at ${name}.`,
  previewServers: (servers: string) => `Its name servers are ${servers}.`,
  previewRecord: (type: string, name: string) => `You will enter one ${type} record named ${name}.`,
  previewAlias: (type: string) =>
    `You will enter one ${type} record for the domain itself, where your provider has that.`,
  pair: (name: string) => `Add ${name} as well, and let it lead here`,
  added: (name: string) => `${name} was added.`,
  twinNotAdded: (name: string, why: string) => `${name} was not added: ${why}`,

  suggestions: "Your site asks for these domains",
  suggestionsText: (file: string) =>
    `They are named in ${file} of what is published, and are not in use yet.`,
  suggestionSteps: { add: "Not added", verify: "Not verified yet" },
};
