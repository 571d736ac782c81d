import type { LucideIcon } from 'lucide-react'
import type { Command } from './command.ts'

interface Setting<T extends string> {
  /** Start of the IDs of the commands. */
  readonly id: string
  /** Name of the setting: `Theme`. */
  readonly name: string
  readonly icon: LucideIcon
  readonly value: T
  readonly options: readonly { value: T; label: string }[]
  readonly onChoose: (value: T) => void
}

const GROUP = 'settings'

/** Returns one command for each option of a setting: `Theme: Dark`. */
export const choiceCommands = <T extends string>(setting: Setting<T>): Command[] =>
  setting.options.map(({ value, label }) => ({
    id: `${setting.id}.${value}`,
    label: `${setting.name}: ${label}`,
    icon: setting.icon,
    group: `${GROUP} ${setting.id}`,
    ...(value === setting.value && { about: 'current' }),
    run: () => setting.onChoose(value),
  }))

/** Returns the command that turns a setting on or off. */
export const switchCommand = (
  setting: Pick<Command, 'id' | 'label' | 'icon' | 'keys'> & { isOn: boolean },
  onChange: (isOn: boolean) => void,
): Command => {
  const { isOn, ...command } = setting
  return { ...command, group: GROUP, about: isOn ? 'on' : 'off', run: () => onChange(!isOn) }
}
