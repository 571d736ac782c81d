import { expect, test, vi } from 'vitest'
import { loadCommand } from './commands.ts'

test('says that nothing was changed if a signal comes while a command is loaded', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as () => never)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const before = process.listenerCount('SIGINT')
  const loading = loadCommand({ summary: 'waits', load: async () => async () => 0 })

  process.listeners('SIGINT').at(-1)?.('SIGINT')
  await loading

  expect(exit).toHaveBeenCalledWith(130)
  expect(write).toHaveBeenCalledWith(
    'Stopped before anything was changed. Run the same command again.\n',
  )
  expect(process.listenerCount('SIGINT')).toBe(before)
  vi.restoreAllMocks()
})
