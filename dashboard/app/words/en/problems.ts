import type { ProblemCode } from "../../../../lib/base/problem.ts";

/** Errors by code: what happened and what to do. For other codes the service's own message is shown. */
export const problems: { readonly [Code in ProblemCode]?: string } = {
  unavailable: "The service is unreachable. Check your connection and try again.",
  internal_error: "Something went wrong on our side. Nothing was changed. Try again in a moment.",
  missing_token: "You are not signed in. Sign in and try again.",
  invalid_session: "Your session has ended. Sign in again.",
  request_timeout: "The request took too long. Try again.",
  invalid_cursor: "The list has changed. Reload the page.",
  precondition_failed:
    "Someone else has changed this. Reload the page and check that your change still applies.",
  rate_limited: "Too many requests. Wait a moment and try again.",
  insufficient_role: "Your role does not allow this. Ask an owner of the account.",
  not_found: "This no longer exists, or the address is wrong.",
  invalid_archive: "This site cannot be published. Fix the problem below and upload it again.",
  invalid_site_file: "petstore.site.json is invalid. Fix it and upload the site again.",
  payload_too_large: "The upload is too large. Send fewer or smaller files.",
  slug_taken: "Another project already has this address. Choose another one.",
  deploy_is_live: "This deploy is live. Publish another one first.",
  deploy_not_ready: "This deploy is incomplete. Upload the site again.",
  unknown_category: "This category no longer exists. Reload the page and choose another one.",
  proof_required: "You signed in a while ago. Confirm your identity and try again.",
  account_suspended: "The account is suspended. You can view it, but not change it.",
  limit_reached: "You have reached the limit. Remove one you no longer need, then try again.",
};
