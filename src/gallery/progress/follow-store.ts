import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** An image that is to be led to, and what is called once it was. */
export interface Followed {
  readonly imageName: string
  readonly onShown: () => void
}

const usePreference = create<{ isFollowing: boolean }>()(
  persist((): { isFollowing: boolean } => ({ isFollowing: false }), {
    name: 'tessera:follow',
    version: 1,
  }),
)

const useTarget = create<{ followed: Followed | null }>(() => ({ followed: null }))

/** Whether the page leads to each image that has been made. */
export const useIsFollowing = (): boolean => usePreference(({ isFollowing }) => isFollowing)
export const isFollowing = (): boolean => usePreference.getState().isFollowing
export function followToggled(): void {
  usePreference.setState(({ isFollowing }) => ({ isFollowing: !isFollowing }))
}

/** Where the open view is to go; null: where the person is. */
export const useFollowed = (): Followed | null => useTarget(({ followed }) => followed)

/** An image is to be led to, once. */
export function imageFollowed(imageName: string): void {
  const followed: Followed = {
    imageName,
    onShown: () => {
      if (useTarget.getState().followed === followed) useTarget.setState({ followed: null })
    },
  }
  useTarget.setState({ followed })
}
