/** True if a version of InvokeAI is 6.`minor` or later. */
export function isSince(version: string, minor: number): boolean {
  const [major = 0, actual = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return major > 6 || (major === 6 && actual >= minor)
}
