/** How far a domain is, and when it is looked at. */
export const standing = {
  statuses: {
    awaiting_dns: "Waiting for DNS",
    checking: "Checking",
    verified: "Verified",
    issuing: "Certificate on its way",
    live: "Live",
    attention: "Needs attention",
    removed: "Removed",
  },
  stages: {
    asked: "Name servers asked",
    verified: "Records verified",
    certified: "Certificate made",
    tried: "Certificate tried",
    live: "Live",
  },
  stageStates: { done: "done", current: "under way", stuck: "stopped", ahead: "still to come" },
  progress: "On the way to live",
  asking: "Asking the name servers. That takes up to ten seconds.",
  liveness: { connecting: "Connecting", live: "Live updates", polling: "Asks every 20 seconds" },
  checked: "Looked at",
  neverChecked: "Not looked at yet",
  nextCheck: "Next look in",
  nextCheckNow: "now",
  noNextCheck: "No further look by itself: choose Verify.",
};
