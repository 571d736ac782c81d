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
  /** Returns the content. undefined: the answer does not have it. */
  readonly contentOf: (insights: ImageInsights) => SumContent | undefined
}

type SumContent = Omit<Plot, 'id' | 'title'>

const boardCondition = (boardId: string, name: string): string =>
  boardId === UNCATEGORIZED_BOARD_ID ? '-has:board' : exactly('board', name)

const boardStorage = ({ boards, board_total }: StorageInsight): SumContent => ({
  property: 'Board',
  values: boards.map(
    ({ board_id, board_name, count, bytes }): PlotValue => ({
      ...{ id: board_id, label: board_name, count, bytes },
      condition: boardCondition(board_id, board_name),
    }),
  ),
  total: board_total,
})

const formatStorage = ({ types }: StorageInsight): SumContent => ({
  property: 'Format',
  values: types.map(
    ({ type, count, bytes }): PlotValue => ({
      ...{ id: type, label: type.toUpperCase(), count, bytes },
      condition: `type:${type}`,
    }),
  ),
  total: types.length,
})

const words = ({ values, total, prompt_count, read_count }: WordInsight): SumContent => ({
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

const seeds = ({ values, total }: SeedInsight): SumContent => ({
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
    contentOf: ({ storage }) => storage && formatStorage(storage),
  },
  {
    ...({ id: 'board-storage', title: 'Storage by board', insight: 'storage' } as const),
    contentOf: ({ storage }) => storage && boardStorage(storage),
  },
  {
    ...({ id: 'words', title: 'Words of prompts', insight: 'words' } as const),
    contentOf: (insights) => insights.words && words(insights.words),
  },
  {
    ...({ id: 'seeds', title: 'Seeds used again', insight: 'seeds' } as const),
    contentOf: (insights) => insights.seeds && seeds(insights.seeds),
  },
]

/** Returns the plot of a sum. undefined: the answer does not have it. */
export const plotOfSum = (
  { id, title, contentOf }: SumPlot,
  insights: ImageInsights,
): Plot | undefined => {
  const content = contentOf(insights)
  return content && { id, title, ...content }
}
