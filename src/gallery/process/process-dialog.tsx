import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { UNCATEGORIZED_BOARD_ID, UNCATEGORIZED_BOARD_NAME } from '#contract/board.ts'
import { isBeingMade } from '#gallery/api/boards/create-board.ts'
import type { ImagesToCopy } from '#gallery/api/copy-images.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { processImages, useUpscalers } from '#gallery/api/process/process-images.ts'
import { chainReasonOf, closeProcessDialog } from '#gallery/api/process/process-request.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Modal } from '#gallery/ui/popups/dialog.tsx'
import { Menu, MenuItem } from '#gallery/ui/popups/menu.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { inputClasses } from '#gallery/ui/text-field.tsx'
import { STARRED } from '#gallery/url/place.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { addStep, useChain } from './chain-store.ts'
import { PreviewPane, useOverLimit } from './preview-pane.tsx'
import { StepCard } from './step-card.tsx'
import { chainFaults, hasRightNumbers } from './step-fields.tsx'
import { stepKinds } from './step-kinds.ts'

/** A dialog to process images with a chain of steps, with a preview on one of them. */
export function ProcessDialog({ images }: { images: ImagesToCopy }) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Modal
      ref={popup}
      onClose={closeProcessDialog}
      initialFocus={() => startOfForm(popup.current) ?? popup.current}
      className="fixed inset-0 z-50 m-auto flex flex-col overflow-hidden bg-raised shadow-floating outline-none short:max-sm:overflow-y-auto wide:h-[min(46rem,calc(100dvh-3rem))] wide:w-[min(70rem,calc(100vw-3rem))] wide:rounded-lg wide:border wide:border-line"
    >
      <Dialog.Title className="shrink-0 border-line border-b px-5 py-3 font-semibold text-lg">
        Process {countOf(images.count, 'image')}
      </Dialog.Title>
      <NamedImages images={images} />
    </Modal>
  )
}

/** Loads the image names first if the selection is a rule. */
function NamedImages({ images }: { images: ImagesToCopy }) {
  const id = useId()
  const named = useQuery({
    queryKey: ['processed', id],
    queryFn: images.names,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (named.data) return <ProcessForm imageNames={named.data} />
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6">
      {named.isError ? (
        <>
          <p role="alert" className="text-danger">
            Couldn’t load the image names. {reasonOf(named.error)}
          </p>
          <Button onClick={() => void named.refetch()}>Retry</Button>
        </>
      ) : (
        <p role="status" className="text-muted">
          Loading the images…
        </p>
      )}
    </div>
  )
}

const isBoard = (place: string): boolean => place !== ALL_BOARDS && place !== STARRED

function ProcessForm({ imageNames }: { imageNames: readonly string[] }) {
  const api = useGallery()
  const { board } = usePlace()
  const chain = useChain()
  const upscalers = useUpscalers()
  const [boardId, setBoardId] = useState(isBoard(board) ? board : UNCATEGORIZED_BOARD_ID)
  const [isSending, setIsSending] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  const form = useRef<HTMLDivElement>(null)
  // The dialog may have opened before the image names were loaded.
  useEffect(() => startOfForm(form.current)?.focus({ preventScroll: true }), [])
  const steps = chain.map(({ step }) => step)
  const faults = chainFaults(steps, upscalers)
  const isRunnable = faults.every((fault) => fault === null) && steps.every(hasRightNumbers)
  const refusalId = useId()
  const overLimit = useOverLimit(isRunnable ? steps : null, imageNames[0])
  // Of several images, the server processes those that are not too large.
  const isRefused = imageNames.length === 1 && overLimit !== null

  const run = async () => {
    if (isSending) return
    setIsSending(true)
    setReason(null)
    try {
      await processImages(api, steps, imageNames, boardId)
      closeProcessDialog()
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
          <Button onClick={closeProcessDialog}>Cancel</Button>
          <Button
            tone="primary"
            // Not disabled while sending: a disabled button loses the focus, and a retry starts from here.
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

/** A menu with every kind of step that the server supports. */
function AddStepMenu() {
  const [upscaler] = useUpscalers() ?? []
  const { upscale, ...others } = stepKinds
  return (
    <Menu
      trigger={
        <Button className="w-full" data-add-step>
          <Plus aria-hidden size={16} />
          Add step
        </Button>
      }
    >
      {Object.values(others).map(({ label, icon, start }) => (
        <MenuItem key={start.kind} icon={icon} onSelect={() => addStep(start)}>
          {label}
        </MenuItem>
      ))}
      {upscaler && (
        <MenuItem
          icon={upscale.icon}
          onSelect={() => addStep({ kind: 'upscale', modelKey: upscaler.key })}
        >
          {upscale.label}
        </MenuItem>
      )}
    </Menu>
  )
}

function BoardSelect({
  boardId,
  onChoose,
}: {
  boardId: string
  onChoose: (boardId: string) => void
}) {
  const { boardQueries } = useGallery()
  const boards = useQuery(boardQueries.list()).data
  const isGone =
    boardId !== UNCATEGORIZED_BOARD_ID &&
    boards !== undefined &&
    !boards.some(({ board_id }) => board_id === boardId)
  return (
    <label className="flex min-w-0 flex-1 items-center gap-2 text-sm max-sm:basis-full">
      <span className="shrink-0 text-muted">Results go to</span>
      <select
        className={`${inputClasses} sm:max-w-64`}
        value={isGone ? '' : boardId}
        onChange={({ target }) => onChoose(target.value)}
      >
        {isGone && <option value="">Choose a board</option>}
        <option value={UNCATEGORIZED_BOARD_ID}>{UNCATEGORIZED_BOARD_NAME}</option>
        {boards
          ?.filter((board) => !isBeingMade(board))
          .map(({ board_id, board_name }) => (
            <option key={board_id} value={board_id}>
              {board_name}
            </option>
          ))}
      </select>
    </label>
  )
}

/** Returns the first input of the chain, else the button for its first step; null while neither is rendered. */
function startOfForm(within: HTMLElement | null): HTMLElement | null {
  // On a touch screen, focusing an input would open the keyboard over the form.
  const isTouched = window.matchMedia('(pointer: coarse)').matches
  const field = isTouched ? null : within?.querySelector<HTMLElement>('li :is(input, select)')
  return field ?? within?.querySelector<HTMLElement>('[data-add-step]') ?? null
}
