import { Filter } from 'lucide-react'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuChoice, MenuSeparator } from '#gallery/ui/menu.tsx'
import {
  BROAD_KINDS,
  type ImageKind,
  kindNamed,
  kindOf,
  SINGLE_KINDS,
} from '#gallery/url/image-kind.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

const choicesOf = (kinds: readonly ImageKind[]) =>
  kinds.map(({ word, label }) => ({ value: word, label }))

const broad = choicesOf(BROAD_KINDS)
const single = choicesOf(SINGLE_KINDS)

/** Which kinds of images are shown. The address holds it. */
export function KindMenu() {
  const { word } = kindOf(usePlace().categories)
  const choose = (chosen: string) => goTo({ categories: kindNamed(chosen).categories, image: null })
  return (
    <Menu align="end" trigger={<IconButton label="Filter" icon={Filter} />}>
      <MenuChoice label="Show" value={word} options={broad} onChoose={choose} />
      <MenuSeparator />
      <MenuChoice label="One category" value={word} options={single} onChoose={choose} />
    </Menu>
  )
}
