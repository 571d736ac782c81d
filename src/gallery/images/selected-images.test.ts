import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { imageQueries } from '#gallery/api/image-queries.ts'
import type { ImageView } from '#gallery/api/image-windows.ts'
import { geometryOf } from './grid-geometry.ts'
import { plainLayoutOf } from './grid-layout.ts'
import type { GridNow } from './grid-now.ts'
import { GridScroller } from './grid-scroller.ts'
import { currentTargets, nextStaying, targetRecords, unselectGone } from './selected-images.ts'
import { countSelected, isNothing } from './selection.ts'
import {
  currentSelection,
  cursorMoved,
  everythingChosen,
  imageChosen,
  imageToggled,
  rangesChosen,
  selectionShifted,
  viewLeft,
} from './selection-store.ts'

const view: ImageView = { boardId: 'none', query: '', orderDir: 'DESC', starredFirst: false }
const names = ['f.png', 'e.png', 'd.png', 'c.png', 'b.png', 'a.png']

const spot = (imageName: string) => ({ imageName, position: names.indexOf(imageName) })

/** A grid that has loaded these images, of `total`. */
function gridOf(loaded: readonly string[], total = loaded.length) {
  const items = loaded.map((image_name) => ({ image_name }) as ImageRecord)
  const client = new QueryClient()
  client.setQueryData(imageQueries.window(view, 0).queryKey, { items, total })
  const now: GridNow = {
    view,
    scroller: new GridScroller(),
    layout: plainLayoutOf(geometryOf(1000, 180), total),
    total,
    windows: new Map([[0, { items, total }]]),
  }
  return { client, now }
}

beforeEach(viewLeft)

test('with nothing selected the image that has the focus is meant, and without a focus none', () => {
  const { client, now } = gridOf(names)
  expect(currentTargets(client, now)).toBeNull()

  cursorMoved(spot('d.png'))

  expect(currentTargets(client, now)?.count).toBe(1)
  expect(targetRecords(now).map(({ image_name }) => image_name)).toEqual(['d.png'])
})

test('everything but one becomes names when it is acted on', async () => {
  const { client, now } = gridOf(names.slice(0, 2), names.length)
  client.setQueryData(imageQueries.names(view).queryKey, names)
  everythingChosen()
  imageToggled(spot('e.png'))

  const targets = currentTargets(client, now)

  expect(targets?.count).toBe(5)
  expect(await targets?.names()).toEqual(['f.png', 'd.png', 'c.png', 'b.png', 'a.png'])
})

test('a rule whose images may leave is names from then on, and those that left are unselected', async () => {
  const { client, now } = gridOf(names)
  client.setQueryData(imageQueries.names(view).queryKey, names)
  everythingChosen()

  await currentTargets(client, now)?.leavingNames()
  client.setQueryData(imageQueries.names(view).queryKey, ['b.png'])
  unselectGone(client, now, { ...now, total: 1 })

  expect([...currentSelection().added.keys()]).toEqual(['b.png'])
  expect(countSelected(currentSelection(), 1)).toBe(1)
})

test('what comes in above while a board is chosen moves what is meant, and it is still unselected', () => {
  const { client, now } = gridOf([])
  everythingChosen()
  const everything = currentTargets(client, now)
  selectionShifted(2)

  everything?.moveTo('castles')

  expect(isNothing(currentSelection())).toBe(true)
  rangesChosen([{ from: 1, to: 2 }], () => undefined)
  const some = currentTargets(client, { view, total: 10 })
  selectionShifted(2)
  expect(some?.images).toMatchObject({ positions: [3, 4] })
})

test('what was chosen before is still meant when a person selects something else', () => {
  const { client } = gridOf([])
  rangesChosen([{ from: 1, to: 2 }], () => undefined)
  const some = currentTargets(client, { view, total: 10 })

  imageChosen(spot('f.png'))

  expect(some?.images).toMatchObject({ positions: [1, 2] })
})

test('the next image that stays takes the place of those that go, else the one before', () => {
  const { now } = gridOf(names)
  imageChosen(spot('d.png'))
  expect(nextStaying(now)).toEqual(spot('c.png'))

  imageChosen(spot('a.png'))

  expect(nextStaying(now)).toEqual(spot('b.png'))
})
