import type { ProblemCode } from "../../../../lib/base/problem.ts";

/** What went wrong, by its code: what happened and what to do. A code without words is shown as the service says it. */
export const problems: { readonly [Code in ProblemCode]?: string } = {
  unavailable: "The service could not be reached. Check your connection, then try again.",
  internal_error: "Something broke on our side. Nothing was changed. Try again in a moment.",
  missing_token: "You are not signed in. Sign in, then try again.",
  invalid_session: "Your session is over. Sign in again.",
  request_timeout: "It arrived too slowly. Try again.",
  invalid_cursor: "The list has changed. Load the page again.",
  precondition_failed:
    "Somebody changed it in the meantime. Load the page again, and see whether your change still fits.",
  rate_limited: "That was too often. Wait a while, then try again.",
  insufficient_role: "Your role does not allow that. An owner of the account can.",
  not_found: "It is not there: it was deleted, or the address is mistyped.",
  invalid_archive: "It cannot be published like this. Mend what is said below, and send it again.",
  invalid_site_file: "The file petstore.site.json has a fault. Mend it and send the site again.",
  payload_too_large: "That is more than can be taken in. Send less, or smaller files.",
  slug_taken: "Another project has that address. Choose another one.",
  deploy_is_live: "It is live. Publish another one first.",
  deploy_not_ready: "It was not completed, so it cannot be used. Send it again.",
  unknown_category: "There is no such category any more. Load the page again and choose anew.",
  proof_required: "You signed in a while ago. Confirm that it is you, then try again.",
  account_suspended: "The account is suspended: it can be looked at, but not changed.",
  limit_reached: "There may be no more of these. Remove one that is no longer needed first.",
};
