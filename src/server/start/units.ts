const factors: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
}

/** Parses a size such as `200MiB`, `1.5 GB` or `1048576`, in bytes. Returns null for other texts. */
export function parseBytes(text: string): number | null {
  const [, amount = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*$/i.exec(text) ?? []
  const factor = factors[unit.toLowerCase()]
  const bytes = amount === '' || factor === undefined ? 0 : Math.floor(Number(amount) * factor)
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null
}

/** Formats a size: `200 MiB`, `14.2 GiB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  const amount = bytes / 2 ** (10 * power)
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${units[power]}`
}
