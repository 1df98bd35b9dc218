/** The most bytes of an upload. */
export const MAX_PICTURE_BYTES: number = 25 * 1_024 * 1_024;
/** The most pixels of an upload, checked before it is decoded. */
export const MAX_PICTURE_PIXELS = 50_000_000;
/** The most scans of a progressive JPEG: 210 scans in 300 KB took 8 seconds, which cannot be cancelled. Cameras write 10. */
export const MAX_SCANS = 100;
/** The most segments or chunks of a file, so that reading it takes little time. A PNG of 25 MiB has 3,200 of the usual length. */
export const MAX_PARTS = 50_000;
/** Longer colour profiles are dropped unread: those of sRGB, Display P3 and Adobe RGB are shorter. */
export const MAX_PROFILE_BYTES = 4_096;
/** Bytes of a picture that are read or copied between two pauses, in which the server handles other requests. */
export const STEP_BYTES: number = 512 * 1_024;
/** Segments or chunks that are read between two pauses. */
export const STEP_PARTS = 5_000;
/** The most pictures that are received, wait to be decoded or are being decoded, and their bytes, which are held in memory. */
export const MAX_WAITING_PICTURES = 24;
export const MAX_WAITING_BYTES: number = 128 * 1_024 * 1_024;
/** The most of them of one account, so that none keeps the others waiting. */
export const MAX_WAITING_OF_ACCOUNT = 6;
/** The most of their bytes of one account. An upload of unknown length counts with the most that it can have. */
export const MAX_WAITING_BYTES_OF_ACCOUNT: number = 56 * 1_024 * 1_024;
