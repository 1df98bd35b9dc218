export default { output: "standalone", skipTrailingSlashRedirect: true };
