import { BookOpen } from 'lucide-react'
import type { Command } from '#gallery/ui/commands/command.ts'

/** The first page of the guide. The build makes it from `docs/`. */
export const GUIDE_URL = 'help/index.html'

/** The page of the guide about proxies. */
export const PROXY_GUIDE_URL = 'help/proxy.html'

export const guideCommand: Command = {
  id: 'guide',
  label: 'Guide',
  icon: BookOpen,
  run: () => void window.open(GUIDE_URL, '_blank', 'noopener'),
}
