import type { ReactNode } from 'react'
import { useCapabilities, useHasExtension } from '#gallery/api/capabilities.ts'
import { useDemoState } from '#gallery/api/demo-library.ts'
import { DemoButton } from './demo-button.tsx'

const WE_KEEP =
  'They keep every byte: prompts and workflows inside them stay, and can be searched for.'

/** It makes a PNG of whatever comes (wire 2.2). */
const INVOKEAI_KEEPS =
  'InvokeAI keeps them as PNG, with the prompts and workflows that it has put into them.'

interface WelcomeProps {
  /** The button that brings images in. */
  uploadButton: ReactNode
  /** The button that points at a folder; draws nothing where the server takes none from here. */
  importButton: ReactNode
}

/** What an empty library says of itself: how images come in, and where they are kept. */
export function Welcome({ uploadButton, importButton }: WelcomeProps) {
  const hasDemo = useHasExtension('demo_library')
  const demo = useDemoState()
  const isInvokeAi = useCapabilities()?.server === 'invokeai'
  return (
    <div className="flex h-full items-center justify-center overflow-y-auto p-4">
      <section className="m-auto flex w-full max-w-[34rem] flex-col items-center gap-4 rounded-lg border border-line border-dashed p-6 text-center sm:p-12">
        <img src="/icon.svg" alt="" width={48} height={48} />
        <h2 className="font-semibold text-2xl tracking-tight">Drop your images here</h2>
        <p className="max-w-96 text-muted">
          Files or whole folders, from your desktop or by paste.{' '}
          {isInvokeAi ? INVOKEAI_KEEPS : WE_KEEP}
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          {uploadButton}
          {importButton}
          {hasDemo && <DemoButton />}
        </div>
        {demo.kind === 'failed' && (
          <p role="alert" className="text-danger text-sm">
            The demo library could not be drawn. {demo.reason}
          </p>
        )}
        <p className="max-w-96 text-muted text-sm">
          Everything lies on the machine that runs{' '}
          {isInvokeAi
            ? 'InvokeAI, in its own folders'
            : 'the server, in the data folder that it printed when it started'}
          . Nothing is sent elsewhere.
        </p>
      </section>
    </div>
  )
}
