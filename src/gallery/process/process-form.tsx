import { useEffect, useId, useRef, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { processImages } from '#gallery/api/process-images.ts'
import { useUpscalers } from '#gallery/api/process-models.ts'
import { chainReasonOf } from '#gallery/api/process-reason.ts'
import { processClosed } from '#gallery/api/process-request.ts'
import { Button } from '#gallery/ui/button.tsx'
import { countOf } from '#gallery/ui/count.ts'
import { ALL_BOARDS } from '#gallery/url/place.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { AddStepMenu } from './add-step-menu.tsx'
import { BoardSelect } from './board-select.tsx'
import { useChain } from './chain-store.ts'
import { PreviewPane, useOverLimit } from './preview-pane.tsx'
import { startOfForm } from './start-of-form.ts'
import { StepCard } from './step-card.tsx'
import { chainFaults, hasRightNumbers } from './step-faults.ts'

/** The chain, the preview of it, where results go, and the way to run it. */
export function ProcessForm({ imageNames }: { imageNames: readonly string[] }) {
  const { board } = usePlace()
  const chain = useChain()
  const upscalers = useUpscalers()
  const [boardId, setBoardId] = useState(board === ALL_BOARDS ? UNCATEGORIZED_BOARD_ID : board)
  const [isSending, setIsSending] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  const form = useRef<HTMLDivElement>(null)
  // The dialog may have opened before the names of its images were known.
  useEffect(() => startOfForm(form.current)?.focus({ preventScroll: true }), [])
  const steps = chain.map(({ step }) => step)
  const faults = chainFaults(steps, upscalers)
  const isRunnable = faults.every((fault) => fault === null) && steps.every(hasRightNumbers)
  const refusalId = useId()
  const overLimit = useOverLimit(isRunnable ? steps : null, imageNames[0])
  // Of several images the server takes those that are not too large.
  const isRefused = imageNames.length === 1 && overLimit !== null

  const run = async () => {
    if (isSending) return
    setIsSending(true)
    setReason(null)
    try {
      await processImages(steps, imageNames, boardId)
      processClosed()
    } catch (error) {
      setReason(chainReasonOf(error, steps))
      setIsSending(false)
    }
  }

  return (
    <>
      <div
        ref={form}
        className="flex flex-1 flex-col sm:min-h-0 sm:flex-row not-short:min-h-0 short:max-sm:flex-none"
      >
        <div className="flex h-[38dvh] min-h-0 shrink-0 p-4 short:max-sm:h-[11rem] sm:h-auto sm:min-w-0 sm:flex-1 sm:shrink">
          <PreviewPane
            imageNames={imageNames}
            steps={isRunnable ? steps : null}
            refusalId={refusalId}
          />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto border-line border-t bg-sunken p-4 short:max-sm:flex-none sm:w-[23rem] sm:flex-none sm:border-t-0 sm:border-l">
          <ol aria-label="Steps" className="mb-3 flex flex-col gap-3 empty:hidden">
            {chain.map((item, index) => (
              <StepCard
                key={item.id}
                item={item}
                index={index}
                count={chain.length}
                fault={faults[index] ?? null}
              />
            ))}
          </ol>
          <AddStepMenu />
        </div>
      </div>
      <footer className="shrink-0 border-line border-t px-4 py-3">
        {reason !== null && (
          <p role="alert" className="mb-2 text-danger text-sm">
            Nothing was started. {reason}
          </p>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <BoardSelect boardId={boardId} onChoose={setBoardId} />
          <Button onClick={processClosed}>Cancel</Button>
          <Button
            tone="primary"
            // A button that is disabled loses the focus, and what was refused is tried again from here.
            aria-busy={isSending}
            disabled={steps.length === 0 || !isRunnable || isRefused}
            aria-describedby={isRefused ? refusalId : undefined}
            onClick={() => void run()}
          >
            Process {countOf(imageNames.length, 'image')}
          </Button>
        </div>
      </footer>
    </>
  )
}
