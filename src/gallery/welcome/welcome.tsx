import { Progress } from '@base-ui/react/progress'
import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCapabilities, useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useDemoState } from '#gallery/api/demo-library.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { Button } from '#gallery/ui/button.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { formatCount } from '#gallery/ui/text/count.ts'

const TESSERA_STORAGE = 'Files are stored untouched, and prompts and workflows become searchable.'

const INVOKEAI_STORAGE =
  'InvokeAI stores them as PNG with the prompts and workflows that it embedded.'

interface WelcomeProps {
  uploadButton: ReactNode
  /** Button that imports a folder. Renders nothing if the server does not allow imports from this browser. */
  importButton: ReactNode
}

/** The first-run page of an empty library: how to add images, and where they are stored. */
export function Welcome({ uploadButton, importButton }: WelcomeProps) {
  const hasDemo = useHasExtension('demo_library')
  const demo = useDemoState()
  const capabilities = useCapabilities()
  const isInvokeAi = capabilities?.server === 'invokeai'
  const takesVideos = capabilities?.limits.max_video_bytes !== undefined
  const dataFolder = capabilities?.data_folder
  return (
    <div className="flex h-full items-center justify-center overflow-y-auto p-4">
      <section className="m-auto flex w-full max-w-[34rem] flex-col items-center gap-4 rounded-lg border border-line border-dashed p-6 text-center sm:p-12">
        <img src="icon.svg" alt="" width={48} height={48} />
        <h2 className="font-semibold text-2xl tracking-tight">
          <span className="pointer-coarse:hidden">Drop your images here</span>
          <span className="hidden pointer-coarse:inline">Add your images</span>
        </h2>
        <p className="max-w-96 text-muted">
          <span className="pointer-coarse:hidden">
            {takesVideos ? 'Images, videos' : 'Files'} or whole folders, from your desktop or by
            paste.{' '}
          </span>
          {isInvokeAi ? INVOKEAI_STORAGE : TESSERA_STORAGE}
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          {uploadButton}
          {importButton}
          {hasDemo && <DemoButton />}
        </div>
        {demo.kind === 'failed' && (
          <p role="alert" className="text-danger text-sm">
            Couldn’t create the demo library. {demo.reason}
          </p>
        )}
        <p className="max-w-96 text-muted text-sm">
          {dataFolder === undefined ? (
            <>
              Everything stays on the computer that runs{' '}
              {isInvokeAi ? 'InvokeAI, in its own folders.' : 'Tessera, in its data folder.'}
            </>
          ) : (
            <>
              Everything stays on this computer, in{' '}
              <bdi className="select-text wrap-anywhere text-ink">{dataFolder}</bdi>
            </>
          )}
        </p>
      </section>
    </div>
  )
}

/** Registers the command that draws a demo library, and returns it if the server can and is not drawing one. */
export function useDemoCommands(): readonly Command[] {
  const { demo } = useGallery()
  const isDrawing = useDemoState().kind === 'drawing'
  const command: Command = {
    id: 'demo',
    label: 'Draw a demo library',
    icon: Sparkles,
    group: 'demo',
    disabledReason: isDrawing ? 'Being drawn' : undefined,
    run: () => void demo.fill(),
  }
  const commands = useHasExtension('demo_library') ? [command] : []
  useCommands('Anywhere', commands)
  return commands
}

/** Fills an empty library with demo images, so that users can try the gallery. */
function DemoButton() {
  const { demo } = useGallery()
  const state = useDemoState()
  return (
    <Button disabled={state.kind === 'drawing'} onClick={() => void demo.fill()}>
      <Sparkles aria-hidden size={16} strokeWidth={1.75} />
      Look around in a demo library
    </Button>
  )
}

/** The progress of the demo library, shown at the top of the page while it is created. */
export function DemoProgress() {
  const { demo } = useGallery()
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
      <Button onClick={() => demo.stop()}>Cancel</Button>
    </div>
  )
}
