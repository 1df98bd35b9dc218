/** Domains of which one leads to the next. */
interface RedirectNames {
  readonly from: string;
  readonly over: string;
  readonly to: string;
}

/** Which domain shows the site, and where the others lead. */
export const redirects = {
  redirects: "Primary domain and redirects",
  redirectsText:
    "One domain shows the site. The others lead to it: path and query are kept, and search engines learn which one counts.",
  from: "From",
  to: "To",
  code: "Status",
  codes: {
    301: "301, for good",
    302: "302, for now",
    307: "307, for now, keeps the method",
    308: "308, for good, keeps the method",
  },
  redirectFaults: {
    cycle: ({ from, over }: RedirectNames) =>
      `${over} leads to ${from}: visitors would go round in a circle. Make the one that shows the site the primary domain.`,
    chain: ({ from, over, to }: RedirectNames) =>
      `${from} would lead to ${over}, and that one on to ${to}. Let ${from} lead straight to ${to}.`,
  },
  primaryOf: "Primary domain",
  noPrimary: "None: choose which one shows the site.",
  saved: "Saved.",
  nowPrimary: (name: string) => `${name} shows the site now.`,
  askPrimary: (name: string) => `Let ${name} show the site?`,
  askPrimaryText: (name: string) =>
    `The others lead to ${name} from then on. Both answer all the time; nobody meets an error.`,
};
