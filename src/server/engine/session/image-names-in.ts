/** Every image that a value names in an `image_name`, at any depth. */
export function imageNamesIn(value: unknown): Set<string> {
  const names = new Set<string>()
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if ('image_name' in next && typeof next.image_name === 'string') names.add(next.image_name)
    for (const inner of Object.values(next)) if (typeof inner === 'object') open.push(inner)
  }
  return names
}
