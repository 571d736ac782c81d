import { Sparkles } from 'lucide-react'
import { fillDemoLibrary, useDemoState } from '#gallery/api/demo-library.ts'
import { Button } from '#gallery/ui/button.tsx'

/** Lets a person look around before they have brought anything. */
export function DemoButton() {
  const state = useDemoState()
  return (
    <Button disabled={state.kind === 'drawing'} onClick={() => void fillDemoLibrary()}>
      <Sparkles aria-hidden size={16} strokeWidth={1.75} />
      Look around in a demo library
    </Button>
  )
}
