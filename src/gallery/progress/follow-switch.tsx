import { LocateFixed } from 'lucide-react'
import { create } from 'zustand'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { Switch } from '#gallery/ui/options.tsx'
import { createPreferences } from '#gallery/ui/preferences.ts'

/** Turns on that the view scrolls to each new image. */
export function FollowSwitch() {
  return (
    <Switch isOn={useIsFollowing()} onChange={setFollowing}>
      Follow new images
    </Switch>
  )
}

export function useFollowCommand(): void {
  const isOn = useIsFollowing()
  const follow = { id: 'follow', label: 'Follow new images', icon: LocateFixed, isOn }
  useCommands('View', [switchCommand(follow, setFollowing)])
}

interface ScrollTarget {
  readonly imageName: string
  readonly onShown: () => void
}

const usePreference = createPreferences('follow', { isFollowing: false }, 1)

const useTarget = create<{ target: ScrollTarget | null }>(() => ({ target: null }))

const useIsFollowing = (): boolean => usePreference(({ isFollowing }) => isFollowing)
export const isFollowing = (): boolean => usePreference.getState().isFollowing
const setFollowing = (isFollowing: boolean): void => void usePreference.setState({ isFollowing })

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
