import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BESIDE, NARROW, SHORT } from './use-media.ts'

const styles = readFileSync(new URL('../styles.css', import.meta.url), 'utf8')

test('uses the same media queries in styles and components', () => {
  const isWide = `${NARROW} and ${SHORT}`.replaceAll('<', '>=')

  expect(styles).toContain(`@custom-variant wide (@media ${isWide});`)
  expect(styles).toContain(`@custom-variant short (@media ${SHORT});`)
  expect(styles).toContain(`@custom-variant beside (@media ${BESIDE});`)
})
