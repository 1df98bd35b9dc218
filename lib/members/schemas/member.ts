import { named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { accountRoles } from "../../management/model/principal.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import { emailJson, faultOfEmail } from "../model/email.ts";

export const EmailSchema: Schema<string> = string(faultOfEmail, emailJson);
const name = optionalNameSchema(120, "For people.");

/** The body of `createMember`. */
export const NewOperatorSchema = named("NewOperator", object({ email: EmailSchema }, { name }));

/** The body of `createAccountMember`. */
export const NewMemberSchema = named(
  "NewMember",
  object({ email: EmailSchema, role: oneOf(accountRoles) }, { name }),
);

/** The body of `updateAccountMember`. */
export const MemberUpdateSchema = named("MemberUpdate", object({ role: oneOf(accountRoles) }));
