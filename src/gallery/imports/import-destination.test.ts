import { expect, test } from 'vitest'
import { destinationOf } from './import-destination.ts'

const boards = [{ board_id: 'b1', board_name: 'Old pictures' }]

test.each([
  ['folders', null, 'all', 'Show images'],
  ['none', null, 'none', 'Show Assets'],
  ['one', 'Old pictures', 'b1', 'Show board'],
  ['one', 'Renamed since', 'all', 'Show images'],
] as const)('shows an import to %s (%s) at %s', (kind, board_name, board, label) => {
  expect(destinationOf({ boards: kind, board_name }, boards)).toEqual({ board, label })
})
