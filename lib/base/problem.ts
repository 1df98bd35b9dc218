/**
 * Every refusal of the public API. Codes are contract: add, never rename.
 * Its OpenAPI document and docs/api.md are made from this table.
 */
export const publicProblems = {
  invalid_json: { status: 400, title: "The body is not valid JSON" },
  invalid_body: { status: 400, title: "The body has the wrong shape" },
  missing_field: { status: 400, title: "A required field is missing" },
  invalid_value: { status: 400, title: "A field has a value that is not allowed" },
  unknown_field: { status: 400, title: "The body has a field that is not known" },
  unknown_category: { status: 400, title: "No such category" },
  invalid_parameter: { status: 400, title: "A query parameter has a value that is not allowed" },
  unknown_parameter: { status: 400, title: "A query parameter is not known" },
  invalid_cursor: { status: 400, title: "The cursor does not belong to this list" },
  missing_api_key: { status: 401, title: "No API key was sent" },
  invalid_api_key: { status: 401, title: "The API key is not valid" },
  expired_api_key: { status: 401, title: "The API key has expired" },
  revoked_api_key: { status: 401, title: "The API key was revoked" },
  wrong_environment: { status: 401, title: "The API key belongs to the other environment" },
  insufficient_scope: { status: 403, title: "The API key lacks a scope" },
  address_not_allowed: { status: 403, title: "The API key may not be used from this address" },
  https_required: { status: 403, title: "This address is only served over HTTPS" },
  account_suspended: { status: 403, title: "The account is suspended" },
  not_found: { status: 404, title: "No such resource" },
  route_not_found: { status: 404, title: "No such address" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  not_acceptable: { status: 406, title: "Only JSON can be had here" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  invalid_transition: { status: 409, title: "The status may not change that way" },
  category_in_use: { status: 409, title: "Animals still use the category" },
  category_exists: { status: 409, title: "A category of that name exists" },
  idempotency_in_progress: {
    status: 409,
    title: "A request with this idempotency key is under way",
  },
  operation_removed: { status: 410, title: "The operation was removed" },
  precondition_failed: { status: 412, title: "The resource has changed" },
  payload_too_large: { status: 413, title: "The body is too large" },
  uri_too_long: { status: 414, title: "The address is too long" },
  unsupported_media_type: { status: 415, title: "The body is not JSON" },
  idempotency_key_reused: {
    status: 422,
    title: "The idempotency key was used for another request",
  },
  rate_limited: { status: 429, title: "The limit per minute is spent" },
  quota_exceeded: { status: 429, title: "The limit per day is spent" },
  key_banned: { status: 429, title: "The API key is banned for a while" },
  internal_error: { status: 500, title: "Something broke on our side" },
  unavailable: { status: 503, title: "The service cannot do this right now" },
} as const;

/** What only the management API refuses. Its OpenAPI document is made from both tables. */
const managementProblems = {
  invalid_archive: { status: 400, title: "The archive holds something that a site may not" },
  invalid_site_file: { status: 400, title: "petstore.site.json has a fault" },
  weak_password: { status: 400, title: "The password is too easy to guess" },
  leaked_password: { status: 400, title: "The password leaked elsewhere" },
  missing_token: { status: 401, title: "No management token was sent" },
  invalid_token: { status: 401, title: "The management token is not valid" },
  expired_token: { status: 401, title: "The management token has expired" },
  revoked_token: { status: 401, title: "The management token was revoked" },
  invalid_setup_token: {
    status: 401,
    title: "The setup link was used, has expired or is mistyped",
  },
  invalid_credentials: { status: 401, title: "E-mail address or password is wrong" },
  invalid_session: { status: 401, title: "The session is over" },
  invalid_passkey: { status: 401, title: "The passkey is not known here, or did not prove itself" },
  invalid_reset_token: {
    status: 401,
    title: "The link was used, has expired or is mistyped",
  },
  session_required: { status: 403, title: "Only somebody who signed in can do this" },
  proof_required: { status: 403, title: "You have to prove again who you are" },
  cross_site_request: { status: 403, title: "The request came from a page of another site" },
  insufficient_role: { status: 403, title: "The role does not allow this" },
  plan_required: { status: 403, title: "The plan does not include this" },
  member_exists: { status: 409, title: "Somebody has that e-mail address already" },
  last_operator: { status: 409, title: "Somebody has to run this installation" },
  slug_taken: { status: 409, title: "The slug belongs to another project" },
  deploy_not_ready: { status: 409, title: "The deploy cannot be published" },
  deploy_is_live: { status: 409, title: "The deploy is live" },
  deploy_required: { status: 409, title: "The project has to be published first" },
  domain_exists: { status: 409, title: "The account has the domain already" },
  domain_not_ready: { status: 409, title: "The domain is not that far yet" },
  authority_refused: { status: 409, title: "The certificate authority refuses this" },
  limit_reached: { status: 409, title: "There may be no more of these" },
} as const;

/** Every refusal that can reach a client. */
export const problems: typeof publicProblems & typeof managementProblems = {
  ...publicProblems,
  ...managementProblems,
};

export type ProblemCode = keyof typeof problems;

/** One thing wrong with a body. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) to the member. */
  readonly pointer: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** A refusal with words for a person. Its HTTP status is `problems[code].status`. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** Every fault of a body, in document order; only on 400. */
  readonly errors?: readonly FieldError[];
  /** Sent as `Retry-After`; a request after that many seconds is worth sending. */
  readonly retryAfterSeconds?: number;
  /** The scope that would have been enough; only on `insufficient_scope`. */
  readonly scope?: string;
}

export function problem(
  code: ProblemCode,
  message: string,
  more?: Omit<Problem, "code" | "message">,
): Problem {
  return { code, message, ...more };
}
