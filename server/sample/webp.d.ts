/** Where the file is: beside the source, or within the executable. */
declare module "*.webp" {
  const path: string;
  export default path;
}
