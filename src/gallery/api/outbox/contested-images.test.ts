import { expect, test } from 'vitest'
import { ContestedImages } from './contested-images.ts'

test('tells of a change by others while a change of the same image is pending', () => {
  const contested = new ContestedImages()
  const end = contested.begin(['a', 'b'])
  const endOther = contested.begin(['c'])

  contested.ask()
  expect(contested.note(new Set(['b']))).toBe(false)

  expect([end(), endOther()]).toEqual([true, false])
})

test('tells of an answer that may be from before a change that has ended since', () => {
  const contested = new ContestedImages()
  contested.begin(['a'])()
  const end = contested.begin(['b'])

  contested.ask()
  expect(end()).toBe(false)
  expect(contested.note(new Set(['b']))).toBe(true)

  contested.ask()
  expect(contested.note(new Set(['a', 'b']))).toBe(false)
})

test('counts changes that name no image as changes of each image', () => {
  const contested = new ContestedImages()
  const end = contested.begin(['a'])

  contested.ask()
  contested.note(null)

  expect(end()).toBe(true)
})
