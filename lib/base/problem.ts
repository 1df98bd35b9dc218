/**
 * The refusals of the public API. The codes are part of the contract: add codes, never rename them.
 * The OpenAPI document and docs/api.md are generated from this table.
 */
export const publicProblems = {
  invalid_json: { status: 400, title: "The body is not valid JSON" },
  invalid_body: { status: 400, title: "The body has the wrong shape" },
  missing_field: { status: 400, title: "A required field is missing" },
  invalid_value: { status: 400, title: "A field has a value that is not allowed" },
  unknown_field: { status: 400, title: "The body has an unknown field" },
  unknown_category: { status: 400, title: "No such category" },
  invalid_parameter: { status: 400, title: "A query parameter has a value that is not allowed" },
  unknown_parameter: { status: 400, title: "Unknown query parameter" },
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
  cross_site_request: { status: 403, title: "The request came from a page of another site" },
  not_found: { status: 404, title: "No such resource" },
  route_not_found: { status: 404, title: "No such path" },
  method_not_allowed: { status: 405, title: "The method is not allowed" },
  not_acceptable: { status: 406, title: "Only JSON is available" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  invalid_transition: { status: 409, title: "This status change is not allowed" },
  category_in_use: { status: 409, title: "Animals still use the category" },
  category_exists: { status: 409, title: "A category with that name exists" },
  idempotency_in_progress: {
    status: 409,
    title: "A request with this idempotency key is in progress",
  },
  operation_removed: { status: 410, title: "The operation was removed" },
  precondition_failed: { status: 412, title: "The resource has changed" },
  payload_too_large: { status: 413, title: "The body is too large" },
  uri_too_long: { status: 414, title: "The URL is too long" },
  unsupported_media_type: { status: 415, title: "The body is not JSON" },
  idempotency_key_reused: {
    status: 422,
    title: "The idempotency key was used for another request",
  },
  rate_limited: { status: 429, title: "The limit per minute is used up" },
  quota_exceeded: { status: 429, title: "The limit per day is used up" },
  key_banned: { status: 429, title: "The API key is temporarily banned" },
  internal_error: { status: 500, title: "The server failed" },
  unavailable: { status: 503, title: "The server cannot do this right now" },
} as const;

/** The refusals that only the management API uses. Its OpenAPI document is generated from both tables. */
const managementProblems = {
  invalid_archive: { status: 400, title: "The archive contains something a site cannot have" },
  invalid_picture: { status: 400, title: "The picture cannot become a photo" },
  unreadable_file: { status: 400, title: "The file cannot be read as a table" },
  invalid_site_file: { status: 400, title: "petstore.site.json has an error" },
  weak_password: { status: 400, title: "The password is too easy to guess" },
  leaked_password: { status: 400, title: "The password appears in a data leak" },
  missing_token: { status: 401, title: "No management token was sent" },
  invalid_token: { status: 401, title: "The management token is not valid" },
  expired_token: { status: 401, title: "The management token has expired" },
  revoked_token: { status: 401, title: "The management token was revoked" },
  invalid_setup_token: {
    status: 401,
    title: "The setup link was used, has expired or is mistyped",
  },
  invalid_credentials: { status: 401, title: "The email address or password is wrong" },
  invalid_session: { status: 401, title: "The session has ended" },
  invalid_passkey: { status: 401, title: "The passkey is unknown or was not verified" },
  invalid_reset_token: {
    status: 401,
    title: "The link was used, has expired or is mistyped",
  },
  session_required: { status: 403, title: "You must be signed in to do this" },
  proof_required: { status: 403, title: "Confirm that it is you" },
  insufficient_role: { status: 403, title: "Your role does not allow this" },
  plan_required: { status: 403, title: "The plan does not include this" },
  member_exists: { status: 409, title: "The email address is already in use" },
  last_operator: { status: 409, title: "The last operator cannot be removed" },
  slug_taken: { status: 409, title: "The slug belongs to another project" },
  deploy_not_ready: { status: 409, title: "The deploy cannot be published" },
  deploy_is_live: { status: 409, title: "The deploy is live" },
  deploy_required: { status: 409, title: "Publish the project first" },
  domain_exists: { status: 409, title: "The account already has the domain" },
  domain_not_ready: { status: 409, title: "The domain is not ready" },
  import_not_ready: { status: 409, title: "The import is in another state" },
  authority_refused: { status: 409, title: "The certificate authority refused the request" },
  webhook_disabled: { status: 409, title: "The webhook is disabled" },
  limit_reached: { status: 409, title: "The limit is reached" },
} as const;

/**
 * Every refusal that can reach a client. One closed table for all features, so that the compiler checks every code, and
 * each layer finds a status without knowing the feature that refuses.
 */
export const problems: typeof publicProblems & typeof managementProblems = {
  ...publicProblems,
  ...managementProblems,
};

/** The code of a refusal. Codes are never renamed. */
export type ProblemCode = keyof typeof problems;

/** A fault in a body. */
export interface FieldError {
  /** JSON Pointer (RFC 6901) to the member. */
  readonly pointer: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** A refusal with a message for people. Its HTTP status is `problems[code].status`. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** All faults of the body, in document order; only on 400. */
  readonly errors?: readonly FieldError[];
  /** Sent as `Retry-After`: the seconds after which another attempt may succeed. */
  readonly retryAfterSeconds?: number;
  /** The scope that the request needs; only on `insufficient_scope`. */
  readonly scope?: string;
}

// @__NO_SIDE_EFFECTS__
export function problem(
  code: ProblemCode,
  message: string,
  more?: Omit<Problem, "code" | "message">,
): Problem {
  return { code, message, ...more };
}

/** The refusal of a request whose idempotency key another request has just used. */
export const answeredMeanwhile: Problem = problem(
  "idempotency_in_progress",
  "Another request with this idempotency key is in progress. Try again in a second.",
  { retryAfterSeconds: 1 },
);
