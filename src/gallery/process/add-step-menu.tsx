import { Plus } from 'lucide-react'
import { useUpscalers } from '#gallery/api/process-models.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Menu, MenuItem } from '#gallery/ui/menu.tsx'
import { stepAdded } from './chain-store.ts'
import { stepKinds } from './step-kinds.ts'

/** Every kind of step that the server can do. */
export function AddStepMenu() {
  const [upscaler] = useUpscalers() ?? []
  const { upscale, ...others } = stepKinds
  return (
    <Menu
      trigger={
        <Button className="w-full" data-add-step>
          <Plus aria-hidden size={16} />
          Add step
        </Button>
      }
    >
      {Object.values(others).map(({ label, icon, start }) => (
        <MenuItem key={start.kind} icon={icon} onSelect={() => stepAdded(start)}>
          {label}
        </MenuItem>
      ))}
      {upscaler && (
        <MenuItem
          icon={upscale.icon}
          onSelect={() => stepAdded({ kind: 'upscale', modelKey: upscaler.key })}
        >
          {upscale.label}
        </MenuItem>
      )}
    </Menu>
  )
}
