/** What has to be there before a domain can be added. */
export const ready = {
  readyTitle: "Before you begin",
  readyText: "Three things have to be there. Two of them we can see.",
  ready: {
    plan: "A paid plan, Pro or above",
    dns: "Access to the DNS settings of your domain",
    deploy: "A published project",
  },
  readyStates: { met: "There", unmet: "Missing", yours: "Up to you" },
  planMet: (plan: string) => `The account is on ${plan}.`,
  planUnmet: (plan: string) =>
    `The account is on ${plan}. Domains of your own come with Pro and the plans above it.`,
  planAction: "See the plans",
  planChange: "Change the plan",
  planAsk: "Whoever runs this service can change it.",
  suspended: "The account is suspended; whoever runs this service can resume it.",
  dnsText:
    "You get one record to enter where the domain was bought, or wherever its name servers are. If somebody else looks after that, have them at hand.",
  dnsAction: "How that goes",
  deployMet: (when: string) => `Last published ${when}.`,
  deployUnmet: "Nothing is published yet, so the domain would have nothing to show.",
  deployAction: "To the deploys",
  starterAction: "Publish the starter storefront",
  starterDone: "The starter storefront is live.",
};
