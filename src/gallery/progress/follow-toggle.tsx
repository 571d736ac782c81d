import { LocateFixed, LocateOff } from 'lucide-react'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { IconButton } from '#gallery/ui/button.tsx'

/** Whether the page leads to each image as it is made. Off, nothing moves what a person looks at. */
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

/** An image that is to be led to, and what is called once it was. */
interface ScrollTarget {
  readonly imageName: string
  readonly onShown: () => void
}

const usePreference = create<{ isFollowing: boolean }>()(
  persist((): { isFollowing: boolean } => ({ isFollowing: false }), {
    name: 'tessera:follow',
    version: 1,
  }),
)

const useTarget = create<{ followed: ScrollTarget | null }>(() => ({ followed: null }))

/** Whether the page leads to each image that has been made. */
const useIsFollowing = (): boolean => usePreference(({ isFollowing }) => isFollowing)
export const isFollowing = (): boolean => usePreference.getState().isFollowing
function toggleFollowing(): void {
  usePreference.setState(({ isFollowing }) => ({ isFollowing: !isFollowing }))
}

/** Where the open view is to go; null: where the person is. */
export const useScrollTarget = (): ScrollTarget | null => useTarget(({ followed }) => followed)

/** An image is to be led to, once. */
export function scrollToNewImage(imageName: string): void {
  const followed: ScrollTarget = {
    imageName,
    onShown: () => {
      if (useTarget.getState().followed === followed) useTarget.setState({ followed: null })
    },
  }
  useTarget.setState({ followed })
}
