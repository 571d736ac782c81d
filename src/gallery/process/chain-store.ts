import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Step } from '#gallery/api/process/process-steps.ts'
import { stepKinds } from './step-kinds.ts'

/** A step that keeps its identity while it is moved and changed. */
export interface ChainStep {
  readonly id: number
  readonly step: Step
}

interface Chain {
  readonly steps: readonly ChainStep[]
}

/** The last chain is there again next time, also after a reload. */
const useChainStore = create(
  persist((): Chain => ({ steps: [] }), {
    name: 'tessera:process-chain',
    // What an older page kept may be of a kind that is no more.
    merge: (kept, current) => {
      const { steps = [] } = (kept ?? {}) as Partial<Chain>
      return { ...current, steps: steps.filter(({ step }) => step.kind in stepKinds) }
    },
  }),
)

export const useChain = (): readonly ChainStep[] => useChainStore(({ steps }) => steps)

function change(edit: (steps: readonly ChainStep[]) => readonly ChainStep[]): void {
  useChainStore.setState(({ steps }) => ({ steps: edit(steps) }))
}

export const stepAdded = (step: Step): void =>
  change((steps) => [...steps, { id: 1 + Math.max(0, ...steps.map(({ id }) => id)), step }])

export const stepRemoved = (id: number): void =>
  change((steps) => steps.filter((one) => one.id !== id))

export const stepChanged = (id: number, step: Step): void =>
  change((steps) => steps.map((one) => (one.id === id ? { id, step } : one)))

/** A step comes to stand where another index is now. */
export const stepMoved = (id: number, to: number): void =>
  change((steps) => {
    const moved = steps.filter((one) => one.id === id)
    return steps.filter((one) => one.id !== id).toSpliced(to, 0, ...moved)
  })
