/** Returns the differences between versions of InvokeAI. */
export function traitsOf(version: string) {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  const isSince = (wanted: number) => major > 6 || (major === 6 && minor >= wanted)
  return {
    hasGallery: isSince(14),
    hasSummaries: isSince(14),
    hasAccounts: isSince(12),
    sockets: {
      hasUserRooms: isSince(12),
      joinsAtConnect: isSince(14),
      sendsTwice: isSince(13) && !isSince(14),
    },
  }
}
