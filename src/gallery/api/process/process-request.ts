import { create } from 'zustand'
import { RefusedError } from '#client/index.ts'
import type { ImagesToCopy } from '#gallery/api/copy-images.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { nodesOf } from './process-nodes.ts'
import type { Step } from './process-steps.ts'

/** The images in the Process dialog; null if it is closed. */
const useRequest = create<{ images: ImagesToCopy | null }>(() => ({ images: null }))

export const useProcessRequest = (): ImagesToCopy | null => useRequest(({ images }) => images)

export const openProcessDialog = (images: ImagesToCopy): void => useRequest.setState({ images })

export const closeProcessDialog = (): void => useRequest.setState({ images: null })

/** Matches the node and its fault in a validation error: `step-2.img_blur.radius: …`. */
const FAULT = /\bstep-(\d+)\.\w+\.([^;]+)/

/** Returns the user-readable reason why a chain was refused. It names the step, because users do not see nodes. */
export function chainReasonOf(error: unknown, steps: readonly Step[]): string {
  const isRefused = error instanceof RefusedError && error.status === 422
  const [, node, fault] = (isRefused && FAULT.exec(error.detail)) || []
  if (node === undefined) return reasonOf(error)
  const step = stepOfNode(steps, Number(node))
  return `The server rejected step ${step} (${fault}). Change or remove it.`
}

const ANY_SIZE = { width: 1, height: 1 }

/** Returns the number of the step that a node belongs to. Both are counted from 1. */
function stepOfNode(steps: readonly Step[], node: number): number {
  let nodes = 0
  for (const [index, step] of steps.entries()) {
    nodes += nodesOf(step, ANY_SIZE).length
    if (nodes >= node) return index + 1
  }
  return steps.length
}
