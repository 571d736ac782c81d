import { useQuery } from '@tanstack/react-query'
import {
  CloudOff,
  DatabaseZap,
  Hourglass,
  Lock,
  type LucideIcon,
  TriangleAlert,
  Unplug,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { create } from 'zustand'
import { useCapabilities } from '#gallery/api/connection/capabilities.ts'
import { useLimitWait } from '#gallery/api/connection/connection.ts'
import { healthQuery, useReachability } from '#gallery/api/connection/reachability.ts'
import { useEventStream, useHasHadEventStream } from '#gallery/api/connection/server-events.ts'
import { useUpstreamStatus } from '#gallery/api/connection/upstream-status.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useOutboxState } from '#gallery/api/outbox/outbox.ts'
import { Button, IconButton } from '#gallery/ui/button.tsx'
import { useSecondsUntil } from '#gallery/ui/waiting-for-limit.tsx'
import { PROXY_GUIDE_URL } from './guide.ts'

interface BannerProps {
  icon: LucideIcon
  /** `alert`: something does not work. `note`: everything works, with information for the user. */
  tone: 'alert' | 'note'
  title: string
  /** The next step, next to the title. */
  next?: string | undefined
  /** The reason and the remedy, below the title. */
  detail?: ReactNode
  action?: ReactNode
}

/** A message about the whole page, shown over the images while its condition lasts. */
export function Banner({ icon: Icon, tone, title, next, detail = null, action }: BannerProps) {
  const isAlert = tone === 'alert'
  return (
    <div
      className={`flex items-center gap-3 rounded-lg border bg-raised py-1.5 pl-4 text-sm shadow-floating ${isAlert ? 'border-danger' : 'border-line text-muted'} ${action === undefined ? 'pr-4' : 'pr-2'}`}
    >
      <Icon
        aria-hidden
        size={18}
        strokeWidth={1.75}
        className={`shrink-0 ${isAlert ? 'text-danger' : ''}`}
      />
      <div className="min-w-0 max-w-[30rem]">
        <div className="sm:flex sm:gap-2">
          <p role={isAlert ? 'alert' : 'status'} className={isAlert ? 'font-semibold' : ''}>
            {title}
          </p>
          {next !== undefined && <p className="text-muted tabular-nums">{next}</p>}
        </div>
        {detail !== null && (
          <p className="break-words text-muted text-xs leading-snug max-sm:line-clamp-6">
            {detail}
          </p>
        )}
      </div>
      {action}
    </div>
  )
}

/** Shows the remaining wait for the server's request limit. Waits of a second are not shown. */
export function LimitBanner() {
  const until = useLimitWait()
  const { kind } = useReachability()
  const seconds = useSecondsUntil(until)
  if (kind === 'gone' || seconds <= 1) return null
  return (
    <Banner
      icon={Hourglass}
      tone="note"
      title="Waiting for the server’s request limit."
      next={`Continuing in ${seconds} s`}
    />
  )
}

/** Shows why the library is read-only. Asks the server only while changes wait for it. */
export function ReadOnlyBanner() {
  const { client } = useGallery()
  const { steps, failures } = useOutboxState()
  const isTessera = useCapabilities()?.server === 'tessera'
  const isWaiting = isTessera && steps > 0 && failures > 0
  const { data: health } = useQuery({ ...healthQuery(client), enabled: isWaiting })
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

/** The outdated version whose banner was dismissed, until a reload. */
const useDismissedVersion = create<{ version: string | null }>(() => ({ version: null }))

/** Shows that the InvokeAI behind the gallery is slow, or older than the gallery supports. */
export function UpstreamBanner() {
  const status = useUpstreamStatus()
  const { kind } = useReachability()
  const dismissedVersion = useDismissedVersion(({ version }) => version)
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
  if (status.state !== 'outdated' || dismissedVersion === status.version) return null
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
          onClick={() => useDismissedVersion.setState({ version: status.version })}
        />
      }
    />
  )
}

/** True if the browser lets the page store data. Private windows and company settings may forbid it. */
function canStore(): boolean {
  try {
    return localStorage.length >= 0
  } catch {
    return false
  }
}

/** Says once that the browser forbids the page to store data. */
export function StorageBanner() {
  const [isShown, setIsShown] = useState(() => !canStore())
  if (!isShown) return null
  return (
    <Banner
      icon={DatabaseZap}
      tone="note"
      title="This browser does not let the gallery store data."
      detail="Everything works, but settings, Undo and unfinished uploads are lost when the page closes. Allow site data for this address to keep them."
      action={<IconButton label="Dismiss" icon={X} onClick={() => setIsShown(false)} />}
    />
  )
}

/** Interruptions of the event stream shorter than this are not shown, in milliseconds. */
const UNNOTICED_MS = 1_000

/** Shows that the server or InvokeAI does not answer, or that live updates stopped, and when the next attempt is. */
export function UnreachableBanner() {
  const { kind } = useReachability()
  if (kind === 'gone') return <GoneBanner />
  return (
    <>
      <LineBanner />
      <SlowUpdatesBanner />
    </>
  )
}

function GoneBanner() {
  const { reachability } = useGallery()
  const state = useReachability()
  const seconds = useSecondsUntil(state.kind === 'gone' ? state.retryAt : null)
  if (state.kind !== 'gone') return null
  const { behind } = state
  return (
    <Banner
      icon={CloudOff}
      tone="alert"
      title={`${behind?.name ?? 'The server'} does not answer.`}
      next={countdown(seconds)}
      detail={behind?.detail ?? null}
      action={<Button onClick={() => void reachability.askAgain()}>Try now</Button>}
    />
  )
}

/** A less urgent note: everything works except live updates. */
function LineBanner() {
  const { events } = useGallery()
  const line = useEventStream()
  const hasBeenOpen = useHasHadEventStream()
  const isReplaced = line.phase === 'replaced'
  const lostSince = 'lostSince' in line ? line.lostSince : null
  const isLost = hasBeenOpen && lostSince !== null
  const seconds = useSecondsUntil(line.phase === 'lost' ? line.retryAt : null)
  const isUnnoticed = useSecondsUntil(isLost ? lostSince + UNNOTICED_MS : null) > 0
  if (!isReplaced && (!isLost || isUnnoticed)) return null
  return (
    <Banner
      icon={Unplug}
      tone="note"
      title={isReplaced ? 'Live updates are on in another window.' : 'Live updates stopped.'}
      next={isReplaced ? undefined : countdown(seconds)}
      action={
        <Button tone="plain" onClick={() => events.reconnect()}>
          {isReplaced ? 'Use this window' : 'Try now'}
        </Button>
      }
    />
  )
}

/** The wait for the first connection after which it is expected to fail, in milliseconds. */
const NO_SOCKET_MS = 10_000

/** True once the note of slow updates was dismissed, until a reload. */
const useDismissedSlow = create<{ isDismissed: boolean }>(() => ({ isDismissed: false }))

/** Shows that the event stream never opened, as behind a proxy without WebSockets, so that the page asks instead. */
function SlowUpdatesBanner() {
  const { live } = useGallery()
  const line = useEventStream()
  const hasBeenOpen = useHasHadEventStream()
  const isDismissed = useDismissedSlow((state) => state.isDismissed)
  const lostSince = 'lostSince' in line ? line.lostSince : null
  const isWaiting = useSecondsUntil(lostSince === null ? null : lostSince + NO_SOCKET_MS) > 0
  if (!live.isOn || hasBeenOpen || lostSince === null || isWaiting || isDismissed) return null
  return (
    <Banner
      icon={Unplug}
      tone="note"
      title="Changes of others appear after a few seconds."
      detail={
        <>
          The connection for live updates does not get through. A proxy in front of the server must
          pass WebSockets: see{' '}
          <a className="underline" href={PROXY_GUIDE_URL} target="_blank" rel="noreferrer">
            Proxies
          </a>
          .
        </>
      }
      action={
        <IconButton
          label="Dismiss"
          icon={X}
          onClick={() => useDismissedSlow.setState({ isDismissed: true })}
        />
      }
    />
  )
}

const countdown = (seconds: number): string =>
  seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again…'
