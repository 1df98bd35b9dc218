/** Reports the listening addresses to the test and exits with it. */
export function announce(variants) {
  console.log(JSON.stringify(variants));
  process.stdin.on("end", () => process.exit(0));
  process.stdin.resume();
}
