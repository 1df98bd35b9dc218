const HOUR = "(?:[01][0-9]|2[0-3])";
const SIXTY = "[0-5][0-9]";
/** A date from 1970 on, for JSON Schema patterns. Days that do not exist match as well. */
export const DATE_SINCE_1970 =
  "(?:19[7-9][0-9]|[2-9][0-9]{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";
/** What follows the date of an RFC 3339 instant, for JSON Schema patterns. */
export const TIME_OF_DAY: string = `[Tt]${HOUR}:${SIXTY}:${SIXTY}(?:\\.[0-9]{1,9})?(?:[Zz]|[+-]${HOUR}:${SIXTY})`;
/** The JSON Schema pattern of an RFC 3339 instant from 1970 on. Days that do not exist match as well. */
export const SINCE_1970: string = `^${DATE_SINCE_1970}${TIME_OF_DAY}$`;
