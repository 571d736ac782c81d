import { LocateFixed, LocateOff } from 'lucide-react'
import { create } from 'zustand'
import { IconButton } from '#gallery/ui/button.tsx'
import { createPreferences } from '#gallery/ui/preferences.ts'

export function FollowToggle() {
  const isFollowing = useIsFollowing()
  return (
    <IconButton
      label="Follow new images"
      icon={isFollowing ? LocateFixed : LocateOff}
      aria-pressed={isFollowing}
      onClick={toggleFollowing}
      className={isFollowing ? 'bg-accent-soft text-accent' : ''}
    />
  )
}

interface ScrollTarget {
  readonly imageName: string
  readonly onShown: () => void
}

const usePreference = createPreferences('follow', { isFollowing: false }, 1)

const useTarget = create<{ target: ScrollTarget | null }>(() => ({ target: null }))

const useIsFollowing = (): boolean => usePreference(({ isFollowing }) => isFollowing)
export const isFollowing = (): boolean => usePreference.getState().isFollowing
function toggleFollowing(): void {
  usePreference.setState(({ isFollowing }) => ({ isFollowing: !isFollowing }))
}

/** Returns the image that the open view should scroll to; null if none. */
export const useScrollTarget = (): ScrollTarget | null => useTarget(({ target }) => target)

/** Scrolls the open view to an image, once. */
export function scrollToNewImage(imageName: string): void {
  const target: ScrollTarget = {
    imageName,
    onShown: () => {
      if (useTarget.getState().target === target) useTarget.setState({ target: null })
    },
  }
  useTarget.setState({ target })
}
