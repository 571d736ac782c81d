import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { reasonOf } from '#gallery/api/reason-of.ts'
import type { VideoPlayer } from './video-player.ts'

/** The copy of a video that the browser cannot play. `making`: the finished share is from 0 to 1. */
export type CopyState =
  | { readonly kind: 'none' }
  | { readonly kind: 'making'; readonly share: number }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * Plays the playable copy of a video if the server has one, and makes one otherwise. Leaving the video stops the work.
 *
 * @param isWanted - True if the browser cannot play the video itself.
 */
export function usePlayableCopy(player: VideoPlayer, videoName: string, isWanted: boolean) {
  const { client } = useGallery()
  const isOffered = useHasExtension('playable_copies') && isWanted
  const stopping = useRef<AbortController | null>(null)
  const url = client.videos.playableUrl({ video_name: videoName })
  // A copy that does not play must not be loaded again and again.
  const [state, setState] = useState<CopyState>(() =>
    player.url === url
      ? { kind: 'failed', reason: 'Couldn’t play the copy of this video.' }
      : { kind: 'none' },
  )

  const playExisting = useEffectEvent(async (signal: AbortSignal) => {
    if (player.url === url) return
    try {
      const { ok } = await fetch(url, { method: 'HEAD', signal })
      if (ok && !signal.aborted) player.retry(url)
    } catch {
      // The user can still ask for it.
    }
  })
  useEffect(() => {
    if (!isOffered) return
    const leaving = new AbortController()
    void playExisting(leaving.signal)
    return () => {
      leaving.abort()
      stopping.current?.abort()
    }
  }, [isOffered])

  const make = async () => {
    const stop = new AbortController()
    stopping.current = stop
    setState({ kind: 'making', share: 0 })
    try {
      for await (const share of client.videos.makePlayable(videoName, { signal: stop.signal })) {
        if (stop.signal.aborted) return
        setState({ kind: 'making', share })
      }
      if (!stop.signal.aborted) player.retry(url)
    } catch (error) {
      if (!stop.signal.aborted) setState({ kind: 'failed', reason: reasonOf(error) })
    }
  }
  const cancel = () => {
    stopping.current?.abort()
    setState({ kind: 'none' })
  }
  return { state, isOffered, make, cancel }
}
