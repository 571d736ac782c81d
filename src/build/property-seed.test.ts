import { afterEach, expect, test, vi } from 'vitest'
import { choosePropertySeed } from './property-seed.ts'

afterEach(() => vi.unstubAllEnvs())

test('uses a fixed seed unless FC_SEED is set', () => {
  vi.stubEnv('FC_SEED', undefined)
  expect(choosePropertySeed()).toBe(20261122)

  vi.stubEnv('FC_SEED', '-7')
  expect(choosePropertySeed()).toBe(-7)
})

test('chooses a random seed once and passes it on to child processes', () => {
  vi.stubEnv('FC_SEED', 'random')
  const seed = choosePropertySeed()

  expect(process.env.FC_SEED).toBe(String(seed))
  expect(choosePropertySeed()).toBe(seed)

  vi.stubEnv('FC_SEED', 'random')
  expect(choosePropertySeed()).not.toBe(seed)
})

test('rejects any other FC_SEED', () => {
  vi.stubEnv('FC_SEED', 'lucky')

  expect(choosePropertySeed).toThrow('FC_SEED must be an integer or "random": lucky')
})
