/** A SQL expression for the `oid` of the schema that PostgreSQL creates tables in. Its name may need quotes. */
export const OWN_SCHEMA = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())";
