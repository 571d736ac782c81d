import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('asks the holder to end, and waits until it does', async () => {
  const turns = new Turns()
  const events: string[] = []
  const end = await turns.take('a', () => {
    events.push('asked')
    end()
  })

  const endSecond = await turns.take('a', () => {})

  expect(events).toEqual(['asked'])
  endSecond()
})

test('lets waiting requests work one after another, and other keys at once', async () => {
  const turns = new Turns()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    await Promise.resolve()
    events.push(`${name} ends`)
  }

  const end = await turns.take('a', () => {})
  const waiting = [turns.run('a', work('one')), turns.run('a', work('two'))]
  await turns.run('b', work('other'))
  end()
  await Promise.all(waiting)

  expect(events).toEqual([
    ...['other begins', 'other ends'],
    ...['one begins', 'one ends', 'two begins', 'two ends'],
  ])
})

test('refuses a request that stops waiting', async () => {
  const turns = new Turns()
  const end = await turns.take('a', () => {})
  const leaving = new AbortController()
  const waiting = turns.take('a', () => {}, leaving.signal)
  leaving.abort()

  await expect(waiting).rejects.toMatchObject({ code: 'upload_in_use' })
  end()
})

test('ends the turn of work that fails', async () => {
  const turns = new Turns()
  await expect(turns.run('a', () => Promise.reject(new Error('No')))).rejects.toThrow('No')
  expect(await turns.run('a', async () => 'next')).toBe('next')
})
