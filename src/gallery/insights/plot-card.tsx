import { Download, FileImage, FileSpreadsheet, Table2 } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Noun } from '#gallery/api/images/noun.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { saveFile } from '#gallery/ui/files/save-file.ts'
import { Menu, MenuItem } from '#gallery/ui/popups/menu.tsx'
import { showFailure } from '#gallery/ui/toasts/toast.tsx'
import { csvOf, type Plot, type PlotValue } from './plot.ts'
import { pictureOf } from './plot-picture.ts'
import { useFocusAfterExclusion } from './use-focus-after-exclusion.ts'
import { ValueMenu } from './value-menu.tsx'
import { ValueTable } from './value-table.tsx'

interface PlotCardProps {
  title: string
  noun: Noun
  /** undefined: it is not counted yet. */
  plot: Plot | undefined
  isError: boolean
  /** True while the counts of another search are shown. */
  isOld: boolean
  onRetry: () => void
  /** Lists all values for a file. */
  loadAll: () => Promise<readonly PlotValue[]>
  /** Height of the plot until it is known, so that it moves nothing. */
  heightPx: number
  /** A choice next to the title. */
  choice?: ReactNode
  /** True: as wide as the page. */
  isWide?: boolean
  children: (plot: Plot) => ReactNode
}

/** A plot with its title, its table and its files. */
export function PlotCard(props: PlotCardProps) {
  const { title, noun, plot, isError, isOld, onRetry, loadAll, heightPx, choice, isWide } = props
  const id = useId()
  const card = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const { handlers, next } = useFocusAfterExclusion(card)
  const [hasTable, setTable] = useState(false)
  const hasValues = plot !== undefined && plot.values.length > 0
  const saveCsv = async () => {
    if (plot === undefined) return
    try {
      const csv = csvOf(plot.property, await loadAll())
      saveFile(`tessera-${plot.id}.csv`, csv, 'text/csv;charset=utf-8')
    } catch (error) {
      showFailure(`${title} could not be saved`, reasonOf(error), () => void saveCsv())
    }
  }
  const savePicture = async () => {
    const drawn = body.current?.querySelector('svg')
    if (plot === undefined || !drawn) return
    try {
      saveFile(`tessera-${plot.id}.png`, await pictureOf(drawn, title), 'image/png')
    } catch (error) {
      showFailure(`${title} could not be saved`, reasonOf(error), () => void savePicture())
    }
  }
  return (
    <section
      ref={card}
      {...handlers}
      aria-labelledby={id}
      aria-busy={plot === undefined || isOld}
      className={`relative min-w-0 rounded-lg border border-line bg-surface p-4 ${isWide ? '@4xl:col-span-2 @7xl:col-span-3' : ''}`}
    >
      <header className="mb-2 flex min-h-8 items-center gap-1">
        <h2
          id={id}
          tabIndex={-1}
          className="-outline-offset-2 min-w-0 flex-1 truncate font-semibold"
        >
          {title}
        </h2>
        {choice}
        <IconButton
          label={hasTable ? `Hide the table of ${title}` : `Show the table of ${title}`}
          icon={Table2}
          aria-pressed={hasTable}
          disabled={!hasValues}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => setTable(!hasTable)}
        />
        <Menu
          align="end"
          trigger={<IconButton label={`Download ${title}`} icon={Download} disabled={!hasValues} />}
        >
          <MenuItem icon={FileSpreadsheet} onSelect={() => void saveCsv()}>
            CSV file
          </MenuItem>
          <MenuItem icon={FileImage} onSelect={() => void savePicture()}>
            PNG picture
          </MenuItem>
        </Menu>
      </header>
      <ValueMenu values={plot?.values ?? []} focusIfGone={next}>
        <div
          ref={body}
          style={{ minHeight: heightPx }}
          className={`transition-opacity motion-reduce:transition-none ${isOld ? 'opacity-60' : ''}`}
        >
          {plot === undefined && !isError && <Waiting heightPx={heightPx} />}
          {plot === undefined && isError && (
            <div role="alert" className="flex flex-wrap items-center gap-3 text-danger text-sm">
              Couldn’t count {title.toLowerCase()}.
              <Button onClick={onRetry}>
                Retry<span className="sr-only"> {title}</span>
              </Button>
            </div>
          )}
          {plot !== undefined && !hasValues && (
            <p className="text-muted text-sm">None in these images.</p>
          )}
          {hasValues && props.children(plot)}
        </div>
        {plot?.note !== undefined && <p className="mt-2 text-muted text-xs">{plot.note}</p>}
        {hasValues && <ValueTable plot={plot} noun={noun} isShown={hasTable} />}
      </ValueMenu>
    </section>
  )
}

/** A placeholder for a plot that is not counted yet. */
const Waiting = ({ heightPx }: { heightPx: number }) => (
  <div
    aria-hidden
    style={{ height: heightPx }}
    className="animate-pulse rounded bg-sunken motion-reduce:animate-none"
  />
)
