import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const script = readFileSync(new URL('../../../public/theme.js', import.meta.url), 'utf8')

/** Returns what public/theme.js applies before the first paint. */
function drawn(stored: Record<string, string | null>, isSystemDark = false) {
  const bar = { content: '' }
  const widths: string[] = []
  const root: { dataset: { theme?: string }; style: object } = {
    dataset: {},
    style: { setProperty: (name: string, value: string) => widths.push(`${name}: ${value}`) },
  }
  runInNewContext(script, {
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    matchMedia: () => ({ matches: isSystemDark }),
    document: { documentElement: root, querySelector: () => bar },
  })
  return { theme: root.dataset.theme, widths }
}

test.each([
  [null, false, 'light'],
  [null, true, 'dark'],
  ['system', true, 'dark'],
  ['light', true, 'light'],
  ['dark', false, 'dark'],
])('applies the chosen theme %j with a dark system %j as %s', (chosen, isSystemDark, theme) => {
  expect(drawn({ 'tessera:theme': chosen }, isSystemDark).theme).toBe(theme)
})

test('gives the frame the width that the user gave the sidebar', () => {
  const stored = { 'tessera:sidebar': JSON.stringify({ state: { widthPx: 320 }, version: 0 }) }

  expect(drawn(stored).widths).toEqual(['--sidebar-width: 20rem'])
})

test.each(['{', 'null', '{"state":{"widthPx":"wide"}}'])(
  'ignores the damaged width %j and keeps the chosen theme',
  (damaged) => {
    const stored = { 'tessera:sidebar': damaged, 'tessera:theme': 'dark' }

    expect(drawn(stored)).toEqual({ theme: 'dark', widths: [] })
  },
)
