import { afterEach, expect, test, vi } from 'vitest'
import { choosePropertySeed } from './property-seed.ts'

afterEach(() => vi.unstubAllEnvs())

test('the seed is fixed unless FC_SEED names one', () => {
  vi.stubEnv('FC_SEED', undefined)
  expect(choosePropertySeed()).toBe(20261122)

  vi.stubEnv('FC_SEED', '-7')
  expect(choosePropertySeed()).toBe(-7)
})

test('a random seed is chosen once and passed on to child processes', () => {
  vi.stubEnv('FC_SEED', 'random')
  const seed = choosePropertySeed()

  expect(process.env.FC_SEED).toBe(String(seed))
  expect(choosePropertySeed()).toBe(seed)

  vi.stubEnv('FC_SEED', 'random')
  expect(choosePropertySeed()).not.toBe(seed)
})

test('any other FC_SEED is refused', () => {
  vi.stubEnv('FC_SEED', 'lucky')

  expect(choosePropertySeed).toThrow('FC_SEED must be an integer or "random": lucky')
})
