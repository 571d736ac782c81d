import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type {
  ImageInsights,
  InsightKey,
  SeedInsight,
  StorageInsight,
  WordInsight,
} from '#contract/search/insights.ts'
import { formatCount } from '#gallery/ui/text/count.ts'
import { exactly } from '#gallery/url/typed-conditions.ts'
import type { Plot, PlotValue } from './plot.ts'

/** A plot of sums that facets do not have. */
export interface SumPlot {
  readonly id: 'board-storage' | 'format-storage' | 'words' | 'seeds'
  readonly title: string
  readonly insight: InsightKey
  readonly plotOf: (insights: ImageInsights) => Plot | undefined
}

const boardCondition = (boardId: string, name: string): string =>
  boardId === UNCATEGORIZED_BOARD_ID ? '-has:board' : exactly('board', name)

const boardStorage = ({ boards, board_total }: StorageInsight): Plot => ({
  id: 'board-storage',
  title: 'Storage by board',
  property: 'Board',
  values: boards.map(
    ({ board_id, board_name, count, bytes }): PlotValue => ({
      ...{ id: board_id, label: board_name, count, bytes },
      condition: boardCondition(board_id, board_name),
    }),
  ),
  total: board_total,
})

const formatStorage = ({ types }: StorageInsight): Plot => ({
  id: 'format-storage',
  title: 'Storage by format',
  property: 'Format',
  values: types.map(
    ({ type, count, bytes }): PlotValue => ({
      ...{ id: type, label: type.toUpperCase(), count, bytes },
      condition: `type:${type}`,
    }),
  ),
  total: types.length,
})

const words = ({ values, total, prompt_count, read_count }: WordInsight): Plot => ({
  id: 'words',
  title: 'Words of prompts',
  property: 'Word',
  values: values.map(({ value, count }) => ({
    ...{ id: value, label: value, count },
    condition: exactly('prompt', value),
  })),
  total,
  ...(read_count < prompt_count && {
    note: `Counted in a sample of ${formatCount(read_count)} of ${formatCount(prompt_count)} prompts.`,
  }),
})

const seeds = ({ values, total }: SeedInsight): Plot => ({
  id: 'seeds',
  title: 'Seeds used again',
  property: 'Seed',
  values: values.map(({ value, count }) => ({
    ...{ id: value, label: value, count },
    condition: exactly('seed', value),
  })),
  total,
})

export const sumPlots: readonly SumPlot[] = [
  {
    ...({ id: 'format-storage', title: 'Storage by format', insight: 'storage' } as const),
    plotOf: ({ storage }) => storage && formatStorage(storage),
  },
  {
    ...({ id: 'board-storage', title: 'Storage by board', insight: 'storage' } as const),
    plotOf: ({ storage }) => storage && boardStorage(storage),
  },
  {
    ...({ id: 'words', title: 'Words of prompts', insight: 'words' } as const),
    plotOf: (insights) => insights.words && words(insights.words),
  },
  {
    ...({ id: 'seeds', title: 'Seeds used again', insight: 'seeds' } as const),
    plotOf: (insights) => insights.seeds && seeds(insights.seeds),
  },
]
