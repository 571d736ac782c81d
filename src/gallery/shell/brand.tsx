import { ALL_BOARDS } from '#gallery/url/place.ts'
import { PlaceLink } from '#gallery/url/place-link.tsx'

/** The icon and the name; leads to all images. */
export function Brand({ onOpen }: { onOpen: () => void }) {
  return (
    <PlaceLink
      board={ALL_BOARDS}
      aria-label="Tessera"
      onOpen={onOpen}
      className="flex items-center gap-3 rounded pointer-coarse:min-h-11 font-semibold text-lg tracking-tight"
    >
      <img src="/icon.svg" alt="" width={24} height={24} className="size-6" />
      Tessera
    </PlaceLink>
  )
}
