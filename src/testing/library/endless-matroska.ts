/** Returns a Matroska file as its writer leaves it until the end: the size of its segment is unknown. */
export const endlessMatroska = (clip: Buffer): Buffer => {
  const copy = Buffer.from(clip)
  const at = copy.indexOf(Buffer.from('18538067', 'hex')) + 4
  const length = Math.clz32(copy[at] ?? 0) - 23
  copy.fill(0xff, at, at + length)
  copy[at] = 2 ** (9 - length) - 1
  return copy
}
