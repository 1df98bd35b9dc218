/** The name of glibc, which the process has loaded. Elsewhere `dlopen` throws. */
export const LIBC = "libc.so.6";
