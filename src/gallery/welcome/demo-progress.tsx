import { Progress } from '@base-ui/react/progress'
import { stopDemoLibrary, useDemoState } from '#gallery/api/demo-library.ts'
import { Button } from '#gallery/ui/button.tsx'
import { formatCount } from '#gallery/ui/text/count.ts'

/** How far the demo library is, on top of the page while it is drawn. */
export function DemoProgress() {
  const state = useDemoState()
  if (state.kind !== 'drawing') return null
  const { done, total } = state
  return (
    <div className="flex items-center gap-4 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 shadow-floating">
      <Progress.Root value={done} max={total} className="flex min-w-0 flex-1 items-center gap-4">
        <Progress.Label className="text-sm tabular-nums">
          Drawing the demo library: {formatCount(done)} of {formatCount(total)}
        </Progress.Label>
        <Progress.Track className="hidden h-1.5 w-24 shrink-0 overflow-hidden rounded-full bg-hover sm:block">
          <Progress.Indicator className="h-full rounded-full bg-accent transition-[width]" />
        </Progress.Track>
      </Progress.Root>
      <Button onClick={stopDemoLibrary}>Cancel</Button>
    </div>
  )
}
