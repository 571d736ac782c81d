import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { Step } from '#gallery/api/process/process-steps.ts'
import { stepKinds } from './step-kinds.ts'

/** A step with an ID that stays the same while the step is moved and changed. */
export interface ChainStep {
  readonly id: number
  readonly step: Step
}

interface Chain {
  readonly steps: readonly ChainStep[]
}

/** The last chain, persisted in localStorage. */
const useChainStore = create(
  persist((): Chain => ({ steps: [] }), {
    name: 'tessera:process-chain',
    // Steps persisted by an older version may be of a kind that no longer exists.
    merge: (persisted, current) => {
      const { steps = [] } = (persisted ?? {}) as Partial<Chain>
      return { ...current, steps: steps.filter(({ step }) => step.kind in stepKinds) }
    },
  }),
)

export const useChain = (): readonly ChainStep[] => useChainStore(({ steps }) => steps)

function change(edit: (steps: readonly ChainStep[]) => readonly ChainStep[]): void {
  useChainStore.setState(({ steps }) => ({ steps: edit(steps) }))
}

export const addStep = (step: Step): void =>
  change((steps) => [...steps, { id: 1 + Math.max(0, ...steps.map(({ id }) => id)), step }])

export const removeStep = (id: number): void =>
  change((steps) => steps.filter((one) => one.id !== id))

export const changeStep = (id: number, step: Step): void =>
  change((steps) => steps.map((one) => (one.id === id ? { id, step } : one)))

export const moveStep = (id: number, to: number): void =>
  change((steps) => {
    const moved = steps.filter((one) => one.id === id)
    return steps.filter((one) => one.id !== id).toSpliced(to, 0, ...moved)
  })
