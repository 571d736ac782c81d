import { LocateFixed, LocateOff } from 'lucide-react'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { followToggled, useIsFollowing } from './follow-store.ts'

/** Whether the page leads to each image as it is made. Off, nothing moves what a person looks at. */
export function FollowToggle() {
  const isFollowing = useIsFollowing()
  return (
    <IconButton
      label="Follow new images"
      icon={isFollowing ? LocateFixed : LocateOff}
      aria-pressed={isFollowing}
      onClick={followToggled}
      className={isFollowing ? 'bg-accent-soft text-accent' : ''}
    />
  )
}
