import { Hourglass, TriangleAlert, X } from 'lucide-react'
import { create } from 'zustand'
import { useReachability } from '#gallery/api/connection/reachability.ts'
import { useUpstreamStatus } from '#gallery/api/connection/upstream-status.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Banner } from './banner.tsx'

/** The older version that a person has been told of, for as long as the page is open. */
const useTold = create<{ version: string | null }>(() => ({ version: null }))

/** Says that the InvokeAI behind the gallery is slow, or older than the page is made for. */
export function UpstreamBanner() {
  const status = useUpstreamStatus()
  const { kind } = useReachability()
  const told = useTold(({ version }) => version)
  if (status === undefined || kind !== 'there') return null
  if (status.state === 'slow') {
    return (
      <Banner
        icon={Hourglass}
        tone="note"
        title="InvokeAI is slow to answer."
        detail="It may be loading a model."
      />
    )
  }
  if (status.state !== 'outdated' || told === status.version) return null
  return (
    <Banner
      icon={TriangleAlert}
      tone="note"
      title={`InvokeAI ${status.version} is older than this gallery supports.`}
      detail={`Some features will fail. Update InvokeAI to ${status.oldest_supported} or newer.`}
      action={
        <IconButton
          label="Dismiss"
          icon={X}
          onClick={() => useTold.setState({ version: status.version })}
        />
      }
    />
  )
}
