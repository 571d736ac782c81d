import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useCapabilities } from '#gallery/api/connection/capabilities.ts'
import { healthQuery } from '#gallery/api/connection/health.ts'
import { useOutboxState } from '#gallery/api/outbox/outbox.ts'
import { Banner } from './banner.tsx'

/** Says why the library takes no changes. Asks the server only while changes wait for it. */
export function ReadOnlyBanner() {
  const { steps, failures } = useOutboxState()
  const isTessera = useCapabilities()?.server === 'tessera'
  const isWaiting = isTessera && steps > 0 && failures > 0
  const { data: health } = useQuery({ ...healthQuery, enabled: isWaiting })
  if (!isWaiting || health?.status !== 'read_only') return null
  return (
    <Banner
      icon={Lock}
      tone="alert"
      title="Changes are not being saved."
      next="They are kept in this browser until the server saves again."
      detail={health.detail}
    />
  )
}
